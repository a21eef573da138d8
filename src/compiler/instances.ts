/**
 * The door of the instances: values that are valid by a schema of a contract. For development time, because it loads
 * fast-check and the compiler.
 */
export type { Json, JsonObject } from './compile/document/json-value.ts'
export { exactDocument } from './instances/exact-document.ts'
export {
  type InstanceOptions,
  instancesOf,
  type PlainOptions,
  plainInstance
} from './instances/plain-instance.ts'
export type { Direction } from './instances/schemas.ts'
