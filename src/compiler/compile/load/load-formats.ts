/** Loads the module of a project's own formats. */
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { isFormat } from '@contract-first/engine/model'
import { ContractError, reasonOf } from '../diagnostics/problem.ts'
import type { FormatsModule, OwnFormat, OwnFormats } from '../validators/ajv/own-formats.ts'

/**
 * Loads the module as it is now, also where the process has loaded an earlier text of it.
 * @param digest returns what tells two texts apart
 * @throws {ContractError} for a module that cannot be loaded, exports no format, or two of one name
 */
export async function loadFormats(path: string, digest: (text: string) => string): Promise<FormatsModule> {
  try {
    const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
    const url = pathToFileURL(path)
    url.search = digest(text)
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
