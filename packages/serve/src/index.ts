export {
  ConfigError,
  readConfig,
  type Command,
  type ConfigSources,
  type ServeConfig,
} from './config'
export { createServeServer, type ServeParts, type ServeServer } from './createServeServer'
export { createLog, type Log, type LogFields, type LogLevel } from './log'
