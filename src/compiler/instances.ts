/**
 * The entry of the instances, for development time, because it loads fast-check and the compiler: makes values that are
 * valid by a schema of a contract.
 */
export type { Json, JsonObject } from './compile/document/json-value.ts'
export {
  type InstanceOptions,
  instancesOf,
  type PlainOptions,
  plainInstance
} from './instances/plain-instance.ts'
export { type Direction, exactDocument } from './instances/schemas.ts'
