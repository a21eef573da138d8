/** Source of what generated code imports of the module of a project's own formats. */
import { relative, sep } from 'node:path'
import type { FormatsModule, OwnFormat, OwnFormats } from '@contract-first/contract'
import { keyOf } from './values.ts'

/** Module of formats, and the path by which generated code imports it. */
export interface ImportedFormats extends FormatsModule {
  readonly from: string
}

/** Name of a format in generated code. */
export const nameInCode = ({ exported }: OwnFormat): string => `format_${exported}`

/** Name of the module below, for the other modules of a bundle. */
export const formatsFile = './formats'

/**
 * Returns the module that other generated modules import formats from; none without a module of formats.
 * @param folder folder of the generated code
 */
export function formatsModules(module: FormatsModule | undefined, folder: string): Map<string, string> {
  if (module === undefined) return new Map()
  const names = [...module.formats.values()].map((format) => `${format.exported} as ${nameInCode(format)}`)
  const from = JSON.stringify(importPath(module, folder))
  return new Map([[formatsFile, `export { ${names.join(', ')} } from ${from}\n`]])
}

/** Returns the source of an object of the formats by name. */
export const formatsSource = (formats: OwnFormats, nameOf: (format: OwnFormat) => string): string =>
  `{ ${[...formats].map(([name, format]) => `${keyOf(name)}: ${nameOf(format)}`).join(', ')} }`

/** Returns the path by which a file of the folder imports the module. */
export function importPath(module: FormatsModule, folder: string): string {
  const path = relative(folder, module.path).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns the import of all formats; none without formats. */
export const formatImports = (formats: OwnFormats | undefined): string[] =>
  formats === undefined
    ? []
    : [`import { ${[...formats.values()].map(nameInCode).join(', ')} } from '${formatsFile}'\n`]
