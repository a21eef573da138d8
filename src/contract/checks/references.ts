/** Checks references that lead nowhere, form a cycle or lead to another kind of object. */
import { kinds, type Section } from '../document/objects.ts'
import { dereference, endOf, fragmentSegments, pointerOf } from '../document/reference.ts'
import type { ContractNode } from '../document/walk.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import type { Reporter } from './reporter.ts'

/** Checks the references of an object of the document, and of those that it holds. */
export function checkReferences(
  { node, names }: ContractNode,
  document: JsonObject,
  reporter: Reporter
): void {
  const section = sections.get(names)
  if (section !== undefined)
    for (const value of Object.values(node)) checkKind(value, section, document, reporter)
  if (names !== undefined) return
  checkReference(node, document, reporter)
  for (const value of arrayOf(own(node, 'parameters'))) checkKind(value, 'parameters', document, reporter)
  checkKind(own(node, 'requestBody'), 'requestBodies', document, reporter)
  checkKind(own(node, 'schema'), 'schemas', document, reporter)
  const schemes = objectOf(own(node, 'securitySchemes'))
  for (const value of Object.values(schemes)) checkKind(value, 'securitySchemes', document, reporter)
}

/** Maps whose members are of one kind, with the section of `components` for it. */
const sections: ReadonlyMap<string | undefined, Section> = new Map([
  ['paths', 'pathItems'],
  ['responses', 'responses'],
  ['headers', 'headers']
])

function checkReference(node: JsonObject, document: JsonObject, { error, at }: Reporter): void {
  const reference = stringOf(own(node, '$ref'))
  if (reference === undefined) return
  // A schema may be `true` or `false`.
  const end = pointerOf(node) === undefined ? undefined : endOf(document, node)
  if (!isObject(end) && typeof end !== 'boolean') error(`${reference} cannot be resolved`, at(node, '$ref'))
}

/**
 * Checks that a reference leads to the kind of object that its place needs (OpenAPI 3.1.0, section 4.8.7). The shape of
 * the object decides; a heading of another kind is a warning.
 */
function checkKind(
  node: Json | undefined,
  section: Section,
  document: JsonObject,
  { error, warn, at }: Reporter
): void {
  const pointer = isObject(node) ? pointerOf(node) : undefined
  const target = pointer === undefined ? undefined : dereference(document, node)
  const heading = pointer === undefined ? undefined : headingOf(pointer)
  if (target === undefined || heading === section) return
  const { name, fits } = kinds[section]
  // Almost any object is a schema: one that is what its heading says is none.
  const isOther = section === 'schemas' && isSection(heading) && kinds[heading].fits(target)
  if (isOther || !fits(target))
    error(`${pointer} leads to ${foundName(heading)}; ${name} is needed here`, at(node, '$ref'))
  else if (heading !== undefined)
    warn(`${pointer} is listed under ${heading}; by its shape it is ${name}`, at(node, '$ref'))
}

const isSection = (heading: string | undefined): heading is Section =>
  heading !== undefined && Object.hasOwn(kinds, heading)

const foundName = (heading: string | undefined): string =>
  isSection(heading) ? kinds[heading].name : 'another kind of object'

/** Returns the section of a component, or the extension that holds the target; undefined for any other place. */
function headingOf(pointer: string): string | undefined {
  const [root, section, ...names] = fragmentSegments(pointer)
  if (root?.startsWith('x-')) return root
  return root === 'components' && names.length === 1 ? section : undefined
}
