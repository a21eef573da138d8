/** Formats of a project's own. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Format, isFormat } from '@contract-first/engine/model'
import { ContractError, reasonOf } from '../diagnostics/problem.ts'

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

/**
 * Loads the module of the project's own formats as it is now, also where the process has loaded an earlier text of it.
 * @throws {ContractError} for a module that cannot be loaded, exports no format, or two of one name
 */
export async function ownFormats(
  path: string | undefined,
  onFile: (path: string) => void
): Promise<FormatsModule | undefined> {
  if (path === undefined) return undefined
  onFile(path)
  try {
    const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
    const url = pathToFileURL(path)
    url.search = sha256(text)
    return { path, text, formats: formatsOf(await import(url.href)) }
  } catch (error) {
    const message = `the module of the formats cannot be used: ${reasonOf(error)}`
    throw new ContractError([{ severity: 'error', file: path, line: 1, column: 1, message }])
  }
}

function formatsOf(module: Readonly<Record<string, unknown>>): OwnFormats {
  const formats = new Map<string, OwnFormat>()
  for (const [exported, format] of Object.entries(module)) {
    if (!isFormat(format)) continue
    const { name } = format
    const earlier = formats.get(name)
    if (earlier !== undefined)
      throw new Error(`format ${name} is defined twice, as ${earlier.exported} and ${exported}`)
    formats.set(name, { exported, format })
  }
  if (formats.size === 0) throw new Error('it exports no format: export const money = defineFormat(…)')
  return formats
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
