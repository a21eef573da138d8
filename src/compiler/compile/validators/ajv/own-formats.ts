/** Formats of a project's own, and what generated code imports of their module. */
import { relative, sep } from 'node:path'
import type { Format } from '@contract-first/engine/model'

export interface OwnFormat {
  /** Name of the export. */
  readonly exported: string
  readonly format: Format
}

/** Formats by name. */
export type OwnFormats = ReadonlyMap<string, OwnFormat>

export interface FormatsModule {
  readonly path: string
  /** Text with line feeds. */
  readonly text: string
  readonly formats: OwnFormats
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
  const path = relative(folder, module.path).split(sep).join('/')
  const names = [...module.formats.values()].map((format) => `${format.exported} as ${nameInCode(format)}`)
  const from = JSON.stringify(path.startsWith('.') ? path : `./${path}`)
  return new Map([[formatsFile, `export { ${names.join(', ')} } from ${from}\n`]])
}
