/** Door of the component schemas of a contract, for texts and values that come by no request. */
export { type ComponentSchema, componentSchemas, type SchemaCodec } from './schemas/component-schemas.ts'
export { SchemaMismatch } from './schemas/schema-mismatch.ts'
