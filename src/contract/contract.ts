/** Door of the model of a contract. */
export { buildContract } from './build/build-contract.ts'
export type * from './model/contract.ts'
export type { Extensions, Json, JsonObject } from './model/json.ts'
export type { Origin, Place, Places, Problem } from './model/origin.ts'
export {
  type Decimal,
  type Discriminator,
  type Example,
  make,
  type Schema,
  type Type
} from './model/schema.ts'
export { print } from './print/print.ts'
