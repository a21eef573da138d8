/** Checks references that lead nowhere or form a cycle, and discriminators that name no schema. */

import { leadsTo, mappingPointer } from '../document/discriminator-object.ts'
import { arrayOf, isObject, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { endOf, pointerOf } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import type { Reporter } from './reporter.ts'

export function checkReferences(document: JsonObject, reporter: Reporter): void {
  for (const { node, names } of contractNodes(document)) {
    if (names !== undefined) continue
    checkReference(node, document, reporter)
    checkMapping(node, document, reporter)
    checkDefaultMapping(node, document, reporter)
  }
}

function checkReference(node: JsonObject, document: JsonObject, { error }: Reporter): void {
  const reference = stringOf(own(node, '$ref'))
  if (reference !== undefined && (pointerOf(node) === undefined || !resolves(document, node)))
    error(`${reference} cannot be resolved`, node, '$ref')
}

/** Returns true when the reference leads to an object, or to a schema that is `true` or `false`. */
function resolves(document: JsonObject, node: JsonObject): boolean {
  const end = endOf(document, node)
  return isObject(end) || typeof end === 'boolean'
}

function checkMapping(node: JsonObject, document: JsonObject, { warn }: Reporter): void {
  const mapping = objectOf(own(objectOf(own(node, 'discriminator')), 'mapping'))
  for (const [value, target] of Object.entries(mapping))
    if (mappingPointer(document, target) === undefined)
      warn(`no schema ${String(target)} to map ${value} to: all alternatives are tried`, mapping, value)
}

/** Checks the alternative for values without the property; the linter reports its absence (OpenAPI 3.2.0, 4.25). */
function checkDefaultMapping(node: JsonObject, document: JsonObject, { warn }: Reporter): void {
  const discriminator = objectOf(own(node, 'discriminator'))
  const named = own(discriminator, 'defaultMapping')
  const branches = ['oneOf', 'anyOf'].flatMap((key) => arrayOf(own(node, key)))
  if (named === undefined || branches.length === 0) return
  if (branches.some((branch) => leadsTo(document, named, pointerOf(objectOf(branch)) ?? ''))) return
  const message = `defaultMapping ${String(named)} is none of the alternatives: all of them are tried`
  warn(message, discriminator, 'defaultMapping')
}
