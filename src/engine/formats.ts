/** Door for formats of a project's own: what the module that `contract.formats` of package.json names calls. */
export { defineFormat, type Format, type FormatParts } from './runtime/own-format.ts'
