/** How serious a line is. */
export type LogLevel = 'info' | 'warn' | 'error'

/** What a line may hold beside its event: never texts of a conversation, keys or headers. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Writes structured lines. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void

/** A log that writes one JSON object a line; `secrets` are replaced wherever they appear. */
export function createLog(
  write: (line: string) => void,
  secrets: readonly (string | undefined)[] = [],
): Log {
  const hidden = secrets.filter((secret) => secret !== undefined && secret.length > 3) as string[]
  return (level, event, fields = {}) => {
    let line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
    for (const secret of hidden) {
      // As it stands in JSON.
      line = line.replaceAll(JSON.stringify(secret).slice(1, -1), '***')
    }
    write(`${line}\n`)
  }
}
