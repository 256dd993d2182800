import { pageFetch } from './pageFetch'

/** The names of the models that a server offers at `GET {baseURL}/models`. Rejects with text for a person. */
export async function listModels(baseURL: string, apiKey: string): Promise<string[]> {
  const url = `${baseURL.replace(/\/+$/, '')}/models`
  let response
  try {
    response = await pageFetch(
      url,
      apiKey ? { headers: { authorization: `Bearer ${apiKey}` } } : {},
    )
  } catch {
    throw new Error(
      `No answer from ${url}. Does the server run, and does it allow this page (CORS)?`,
    )
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${response.statusText}`)
  const body = (await response.json().catch(() => undefined)) as { data?: unknown } | undefined
  if (!Array.isArray(body?.data)) throw new Error(`${url} answered no list of models`)
  return body.data
    .map((model: { id?: unknown } | null) => model?.id)
    .filter((id) => typeof id === 'string')
    .sort()
}
