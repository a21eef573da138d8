/** Modules of openapi-typescript that this folder imports. The package declares no types for them. */
declare module 'openapi-typescript/dist/lib/ts.cjs' {
  export { astToString } from 'openapi-typescript'
}

declare module 'openapi-typescript/dist/transform/index.cjs' {
  export { transformSchema as default } from 'openapi-typescript'
}
