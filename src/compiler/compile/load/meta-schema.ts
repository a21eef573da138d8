/** Validates a contract against the meta-schema of OpenAPI, which decides where the linter is stricter than OpenAPI. */
import type { NormalizedProblem } from '@redocly/openapi-core'
import type { Validator } from '@seriousme/openapi-schema-validator'
import { define, isObject, type JsonObject } from '../document/json-value.ts'
import { atPath } from '../document/reference.ts'
import type { Repair } from './file-resolver.ts'
import { missingField, segmentsOf, strayField } from './finding.ts'

/**
 * Validates the document without its harmless flaws, which must not make errors of findings that the meta-schema
 * allows. This takes longer than compiling a small contract, so that it runs only after structural findings.
 * @param document the document as read, not bundled yet
 */
export async function isValidOpenApi(
  document: JsonObject,
  findings: readonly NormalizedProblem[],
  repairs: readonly Repair[]
): Promise<boolean> {
  const copy = JSON.parse(JSON.stringify(document)) as JsonObject
  for (const finding of findings) fix(copy, finding)
  for (const { pointer } of repairs) remove(copy, pointer)
  const { valid, errors } = await (await loadedValidator()).validate(copy)
  // A string instead of a list is about references; the validator does not follow all kinds.
  return valid || typeof errors === 'string'
}

let validator: Promise<Validator> | undefined

/** Returns the same validator each time, because it compiles the meta-schema at its first use. */
function loadedValidator(): Promise<Validator> {
  validator ??= import('@seriousme/openapi-schema-validator').then(({ Validator }) => new Validator())
  return validator
}

function fix(copy: JsonObject, finding: NormalizedProblem): void {
  const [{ pointer = '' } = {}] = finding.location
  const missing = missingField(finding)
  const owner = atPath(copy, segmentsOf(pointer))
  if (missing !== undefined && isObject(owner)) define(owner, missing, placeholders[missing] ?? 'text')
  if (strayField(finding) !== undefined) remove(copy, pointer)
}

const placeholders: Readonly<Record<string, string | JsonObject>> = {
  paths: {},
  scopes: {},
  info: { title: 'title', version: 'version' },
  url: 'https://host.example',
  items: {}
}

function remove(copy: JsonObject, pointer: string): void {
  const path = segmentsOf(pointer)
  const owner = atPath(copy, path.slice(0, -1))
  if (isObject(owner)) Reflect.deleteProperty(owner, String(path.at(-1)))
}
