// @ts-check
// Who answers: any OpenAI-compatible server, or without one the demo model of vue-llm.
import { createOpenAIProvider } from 'vue-llm/providers'
import { createDemoModel } from 'vue-llm/testing'

const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, OPENAI_MODEL } = process.env

export const isDemo = !baseURL && !apiKey

export const provider = isDemo
  ? createOpenAIProvider({ fetch: createDemoModel() })
  : createOpenAIProvider({ ...(baseURL && { baseURL }), ...(apiKey && { apiKey }) })

export const model = OPENAI_MODEL ?? 'gpt-4.1-mini'
