/** Reads the root file of a contract and its version of OpenAPI. */
import { ContractError, type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import { positionOf } from '../diagnostics/source-position.ts'
import { YamlError } from '../diagnostics/yaml-text.ts'
import { type JsonObject, own } from '../model/json.ts'
import type { Document, FileResolver } from './file-resolver.ts'

/** @throws {ContractError} when it is no YAML, or cannot be read */
export async function readRoot(resolver: FileResolver, path: string): Promise<Document> {
  try {
    return await resolver.resolveDocument(null, path, true)
  } catch (error) {
    if (error instanceof YamlError) {
      const { message, position, source } = error
      throw refused(path, message, { ...position, hidesLine: !looksLikeContract(source.body) })
    }
    throw refused(path, `the file cannot be read: ${reasonOf(error)}`, { hidesLine: true })
  }
}

/** Recognises a contract with a mistake in its syntax; the lines of any other file are not shown. */
const looksLikeContract = (text: string): boolean => /^[\s{]*["']?(openapi|swagger)["']?\s*:/m.test(text)

function refused(file: string, message: string, place: Partial<ContractProblem> = {}): ContractError {
  return new ContractError([{ severity: 'error', file, line: 1, column: 1, message, ...place }])
}

/**
 * Returns the version of OpenAPI without its patch number: `3.1`.
 * @throws {ContractError} for anything but OpenAPI 3
 */
export function versionOf(document: JsonObject, { source }: Document): string {
  const written = own(document, 'openapi')
  // The position costs another parse, which a contract without a mistake does not need.
  const place = () => (written === undefined ? {} : positionOf(source, ['openapi']))
  if (typeof written === 'number')
    throw refused(source.absoluteRef, `openapi is a number: write '${written}.0'`, place())
  const match = /^(3\.[012])(\.\d+)?(-.+)?$/.exec(String(written))
  const hidesLine = !looksLikeContract(source.body)
  if (match === null)
    throw refused(source.absoluteRef, `${expected}${foundVersion(document)}`, { ...place(), hidesLine })
  return String(match[1])
}

const expected = 'expected an OpenAPI document: `openapi: 3.0.x`, `3.1.x` or `3.2.x`'

function foundVersion(document: JsonObject): string {
  const [swagger, openapi] = [own(document, 'swagger'), own(document, 'openapi')]
  if (swagger !== undefined) return `; this is Swagger ${String(swagger)}: convert it to OpenAPI 3`
  return openapi === undefined ? '' : `; this is OpenAPI ${String(openapi)}`
}
