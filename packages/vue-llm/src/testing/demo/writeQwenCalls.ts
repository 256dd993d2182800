import type { DemoCall } from './readRequest'

/** Calls in the XML of Qwen3-Coder, as its chat template writes them: text raw, anything else as JSON. */
export function writeQwenCalls(calls: readonly DemoCall[]): string {
  return calls.map(writeCall).join('\n')
}

function writeCall({ name, args }: DemoCall): string {
  const parameters = Object.entries(args).map(
    ([key, value]) =>
      `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`,
  )
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`
}
