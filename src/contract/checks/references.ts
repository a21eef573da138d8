/** Checks references that lead nowhere, form a cycle or lead to another kind of object, and discriminators. */
import { schemaOf } from '../build/build-contract.ts'
import { kinds, type Section } from '../document/object-kinds.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { fragmentOf, fragmentSegments } from '../document/pointer.ts'
import { atPointer, componentsOf, dereference, endOf, pointerOf } from '../document/reference.ts'
import type { LoadedContract } from '../load/load.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import type { Schema } from '../model/schema.ts'
import { requires } from '../views/parts.ts'
import type { Reporter } from './reporter.ts'

export function checkReferences(contract: LoadedContract, reporter: Reporter): void {
  const { document } = contract
  for (const { node, names } of reporter.nodes) {
    if (names !== undefined) continue
    checkReference(node, document, reporter)
    checkMapping(node, document, reporter)
    checkDefaultMapping(node, contract, reporter)
    if (own(node, 'discriminator') !== undefined && isAmbiguous(schemaOf(contract.model, node)))
      reporter.warn(ambiguous, node, 'discriminator')
  }
}

const ambiguous =
  'the property does not tell the alternatives apart: all of them are tried; map a value to each, by reference'

/** Returns true for a discriminator that selects nothing, unless it names what is none of the alternatives. */
function isAmbiguous({ discriminator, oneOf, anyOf }: Schema): boolean {
  if (discriminator === undefined || discriminator.of === 'heirs' || discriminator.tags !== undefined)
    return false
  const { otherwise } = discriminator
  return otherwise === undefined || (oneOf ?? anyOf ?? []).some(({ ref }) => ref === otherwise)
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

/** Checks the alternative for values without the property (OpenAPI 3.2.0, section 4.25). */
function checkDefaultMapping(
  node: JsonObject,
  { document, model }: LoadedContract,
  { warn }: Reporter
): void {
  const discriminator = own(node, 'discriminator')
  if (!isObject(discriminator)) return
  const [property, named] = [own(discriminator, 'propertyName'), own(discriminator, 'defaultMapping')]
  const branches = ['oneOf', 'anyOf'].flatMap((key) => arrayOf(own(node, key)))
  const isChosen = (target: Json) =>
    branches.some((branch) => leadsTo(document, target, pointerOf(objectOf(branch)) ?? ''))
  if (named === undefined) {
    const isOpen = property !== undefined && branches.length > 0 && isVersion32(document)
    if (isOpen && !requires(schemaOf(model, node), String(property)))
      warn(
        `${property} may be absent: write a defaultMapping; without it the union judges`,
        node,
        'discriminator'
      )
  } else if (branches.length === 0 ? mappingPointer(document, named) === undefined : !isChosen(named)) {
    const message = `defaultMapping ${String(named)} is none of the alternatives: all of them are tried`
    warn(message, discriminator, 'defaultMapping')
  }
}

const isVersion32 = (document: JsonObject): boolean => String(own(document, 'openapi')).startsWith('3.2')

/**
 * Checks that a reference leads to the kind of object that its place needs (OpenAPI 3.1.0, section 4.8.7). The shape of
 * the object decides; a heading of another kind is a warning.
 */
export function checkReferenceKinds(
  document: JsonObject,
  operations: readonly OperationNode[],
  reporter: Reporter
): void {
  const check = (nodes: readonly (Json | undefined)[], section: Section) => {
    for (const node of new Set(nodes)) checkKind(node, section, document, reporter)
  }
  for (const { node, pathItem } of operations) {
    check(arrayOf(own(pathItem, 'parameters')), 'parameters')
    check(arrayOf(own(node, 'parameters')), 'parameters')
    check([own(node, 'requestBody')], 'requestBodies')
    check(Object.values(objectOf(own(node, 'responses'))), 'responses')
  }
  check(Object.values(objectOf(own(document, 'paths'))), 'pathItems')
  check(Object.values(componentsOf(document, 'securitySchemes')), 'securitySchemes')
  for (const { node, names } of reporter.nodes) {
    if (names === 'headers') check(Object.values(node), 'headers')
    if (names === undefined) check([own(node, 'schema')], 'schemas')
  }
}

function checkKind(
  node: Json | undefined,
  section: Section,
  document: JsonObject,
  { error, warn }: Reporter
): void {
  const pointer = isObject(node) ? pointerOf(node) : undefined
  const target = pointer === undefined ? undefined : dereference(document, node)
  const heading = pointer === undefined ? undefined : headingOf(pointer)
  if (target === undefined || heading === section) return
  const { name, fits } = kinds[section]
  // Almost any object is a schema: one that is what its heading says is none.
  const isOther = section === 'schemas' && isSection(heading) && kinds[heading].fits(target)
  if (isOther || !fits(target))
    error(`${pointer} leads to ${foundName(heading)}; ${name} is needed here`, node, '$ref')
  else if (heading !== undefined)
    warn(`${pointer} is listed under ${heading}; by its shape it is ${name}`, node, '$ref')
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

/** Returns the pointer for a value of `mapping` (OpenAPI 3.1.0, section 4.8.25), which is a reference or the name of a schema. */
function mappingPointer(document: JsonObject, target: Json): string | undefined {
  const text = String(target)
  if (own(componentsOf(document, 'schemas'), text) !== undefined)
    return fragmentOf(['components', 'schemas', text])
  const leads = text.startsWith('#/') && dereference(document, { $ref: text }) !== undefined
  return leads ? text : undefined
}

/** Returns true if a value of `mapping` names the schema at the pointer. */
function leadsTo(document: JsonObject, target: Json, pointer: string): boolean {
  const mapped = mappingPointer(document, target)
  return mapped !== undefined && atPointer(document, mapped) === atPointer(document, pointer)
}
