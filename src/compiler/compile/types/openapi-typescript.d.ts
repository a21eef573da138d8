/** Modules of openapi-typescript that this folder imports. The package declares no types for them. */
declare module 'openapi-typescript/dist/lib/ts.mjs' {
  export { astToString } from 'openapi-typescript'
}

declare module 'openapi-typescript/dist/transform/index.mjs' {
  export { transformSchema as default } from 'openapi-typescript'
}

declare module 'openapi-typescript/dist/transform/schema-object.mjs' {
  export { transformSchemaObject as default } from 'openapi-typescript'
}
