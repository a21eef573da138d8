/** Checks that a reference leads to the kind of object that its place needs (OpenAPI 3.1.0, section 4.8.7). */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { dereference, pointerOf } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import type { Reporter } from './reporter.ts'

/** Sections of `components` whose objects lose a part when read as another kind, each with the name of its objects. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['schemas', 'a schema'],
  ['responses', 'a response'],
  ['parameters', 'a parameter'],
  ['requestBodies', 'a request body']
])

export function checkReferenceKinds(
  document: JsonObject,
  operations: readonly OperationNode[],
  reporter: Reporter
): void {
  const check = (nodes: readonly (Json | undefined)[], section: string) => {
    for (const node of nodes) checkKind(node, section, document, reporter)
  }
  for (const { node, pathItem } of operations) {
    check(arrayOf(own(pathItem, 'parameters')), 'parameters')
    check(arrayOf(own(node, 'parameters')), 'parameters')
    check([own(node, 'requestBody')], 'requestBodies')
    check(Object.values(objectOf(own(node, 'responses'))), 'responses')
  }
  for (const { node, names } of contractNodes(document))
    if (names === undefined) check([own(node, 'schema')], 'schemas')
}

function checkKind(node: Json | undefined, section: string, document: JsonObject, { error }: Reporter): void {
  const pointer = isObject(node) ? pointerOf(node) : undefined
  const found = kindOf(document, node, pointer)
  if (found === undefined || found === section) return
  error(`${pointer} leads to ${kinds.get(found)}; ${kinds.get(section)} is needed here`, node, '$ref')
}

/** Returns the section of the target; undefined when it is unknown or loses nothing. */
function kindOf(
  document: JsonObject,
  node: Json | undefined,
  pointer: string | undefined
): string | undefined {
  const [, section = ''] = /^#\/components\/(\w+)\/[^/]+$/.exec(pointer ?? '') ?? []
  if (pointer === undefined || dereference(document, node) === undefined) return undefined
  return kinds.has(section) ? section : undefined
}
