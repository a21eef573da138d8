/** Entry point of the service: all exports that a project needs. Loads neither Fastify nor the log. */
export { buildApp } from './build-app.ts'
export type { Config } from './config/config.ts'
export { StartError } from './config/start-error.ts'
export type { OwnValues, OwnVariable, ProjectVariables } from './config/variables.ts'
export type { Authenticate, Principal } from './credentials/scopes.ts'
export {
  type AppOptions,
  defineService,
  type ServiceDefinition,
  type ServiceStore,
  type Setting,
  type StartSetting,
  type StoreOptions,
  type StoreOrigin,
  type StoreSetting
} from './definition.ts'
export { type Project, runMain } from './run-main.ts'
