import { readFile } from 'node:fs/promises'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>vue-llm-serve: API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui' })\n`

const html = 'text/html; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

/** What is served below /docs: media type, and the text or how it is found. */
const assets: Readonly<Record<string, readonly [string, string | (() => Promise<Uint8Array>)]>> = {
  '/docs': [html, page],
  '/docs/': [html, page],
  '/docs/start.js': [script, start],
  '/docs/swagger-ui-bundle.js': [script, () => swaggerFile('swagger-ui-bundle.js')],
  '/docs/swagger-ui.css': ['text/css; charset=utf-8', () => swaggerFile('swagger-ui.css')],
}

/** A file of Swagger UI: beside the built server, else (from the sources) in its own package. */
async function swaggerFile(name: string): Promise<Uint8Array> {
  try {
    return await readFile(new URL(`./swagger-ui/${name}`, import.meta.url))
  } catch {
    const { createRequire } = await import('node:module')
    return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
  }
}

/** Answers what belongs to the page of the API, `undefined` for any other path. */
export async function answerDocs(path: string): Promise<Response | undefined> {
  const asset = Object.hasOwn(assets, path) ? assets[path] : undefined
  if (!asset) return undefined
  const [type, content] = asset
  return new Response(typeof content === 'string' ? content : ((await content()) as BodyInit), {
    headers: {
      'content-type': type,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      // Swagger UI writes styles of its own.
      'content-security-policy':
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    },
  })
}
