/** Entry point of the component schemas of a contract, for texts and values that come by no request. */
export type { SchemaCodec } from './model/contract-types.ts'
export { type ComponentSchema, componentSchemas, SchemaMismatch } from './schemas/component-schemas.ts'
