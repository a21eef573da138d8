/** Door for formats of a project's own: what the module that `contract.formats` of package.json names calls. */
export type { Format } from './model/own-format.ts'
export { defineFormat } from './runtime/own-format.ts'
