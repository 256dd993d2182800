/** What is used of an answer that `node:http` gave, or of the stream that inflates it. @internal */
export interface NodeStream {
  destroy(error?: Error): unknown
  pipe<T>(target: T): T
  on(event: 'error', listener: (error: Error) => void): unknown
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>
}

/** @internal */
export interface NodeAnswer extends NodeStream {
  readonly statusCode?: number
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
}

/** How `node:net` asks for the addresses of a host, right before it connects. @internal */
export type NodeLookup = (
  hostname: string,
  options: { all?: boolean | undefined },
  callback: (error: Error | null, address?: unknown, family?: number) => void,
) => void

interface NodeRequestOptions {
  method: string
  headers: Readonly<Record<string, string>>
  agent: false
  lookup: NodeLookup
}

interface OutgoingRequest {
  on(event: 'response', listener: (answer: NodeAnswer) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'close', listener: () => void): unknown
  end(body?: string): unknown
  destroy(error?: Error): unknown
}

interface HttpModule {
  request(url: URL, options: NodeRequestOptions): OutgoingRequest
}

interface ModuleTypes {
  'node:http': HttpModule
  'node:https': HttpModule
  'node:dns': {
    promises: { lookup(hostname: string, options: { all: true }): Promise<{ address: string }[]> }
  }
  'node:zlib': { createUnzip(): NodeStream; createBrotliDecompress(): NodeStream }
  'node:fs': { readFileSync(path: string): Uint8Array }
}

interface NodeProcess {
  getBuiltinModule?: <Name extends keyof ModuleTypes>(name: Name) => ModuleTypes[Name] | undefined
}

/**
 * One of Node's own modules; `undefined` where they are not. Not an `import()`: a bundler for an edge platform that
 * follows it finds nothing there, and fails.
 * @internal
 */
export function nodeModule<Name extends keyof ModuleTypes>(
  name: Name,
): ModuleTypes[Name] | undefined {
  const { process } = globalThis as { process?: NodeProcess }
  return process?.getBuiltinModule?.(name)
}
