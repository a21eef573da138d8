/** Compares two bundled documents by operations and schemas, so that an edit of the contract can be summarised. */

import { titleOf } from '../document/info.ts'
import { type JsonObject, objectOf, own, stringify, stringOf } from '../document/json-value.ts'
import { operationNodes } from '../document/operation-objects.ts'
import { operationChanges } from './operation.ts'
import { objectFrom, sameMeaning } from './same-meaning.ts'
import { schemaChanges } from './schema.ts'

/** Changes by subject, in the order of the summary: `operations` → `+ listThings`. */
export type Changes = ReadonlyMap<string, readonly string[]>

/**
 * Returns the changes from one document to the next.
 * @param before the document compiled last; undefined if there is none
 */
export function changesOf(before: JsonObject | undefined, after: JsonObject): Changes {
  const old = before ?? {}
  const changes = new Map([
    ['operations', operationsChanged(old, after)],
    ['schemas', named(component(old, 'schemas'), component(after, 'schemas'), schemaChanges)],
    ['security schemes', named(component(old, 'securitySchemes'), component(after, 'securitySchemes'))],
    ['contract', rootChanges(before, after)]
  ])
  const found = new Map([...changes].filter(([, list]) => list.length > 0))
  const isTextOnly = found.size === 0 && stringify(before) !== stringify(after)
  return isTextOnly ? new Map([['descriptions', ['changed; nothing else has']]]) : found
}

const component = (document: JsonObject, kind: string): JsonObject =>
  objectOf(own(objectOf(own(document, 'components')), kind))

type Compare = (name: string, before: JsonObject, after: JsonObject) => string[]

const changed: Compare = (name) => [`${name} changed`]

function named(before: JsonObject, after: JsonObject, compare: Compare = changed): string[] {
  const common = Object.keys(after).filter((name) => Object.hasOwn(before, name))
  return [
    ...Object.keys(after).flatMap((name) => (Object.hasOwn(before, name) ? [] : [`+ ${name}`])),
    ...Object.keys(before).flatMap((name) => (Object.hasOwn(after, name) ? [] : [`- ${name}`])),
    ...common.flatMap((name) => {
      const [old, current] = [own(before, name), own(after, name)]
      return sameMeaning(old, current) ? [] : compare(name, objectFrom(old), objectFrom(current))
    })
  ]
}

function operationsChanged(before: JsonObject, after: JsonObject): string[] {
  const [old, current] = [operationsById(before), operationsById(after)]
  return [
    ...[...current.keys()].flatMap((id) => (old.has(id) ? [] : [`+ ${id}`])),
    ...[...old.keys()].flatMap((id) => (current.has(id) ? [] : [`- ${id}`])),
    ...[...current].flatMap(([id, to]) => {
      const from = old.get(id)
      return from === undefined ? [] : operationChanges(id, from, to)
    })
  ]
}

function operationsById(document: JsonObject) {
  return new Map(
    operationNodes(document).map((operation) => [
      stringOf(own(operation.node, 'operationId')) ?? `${operation.method} ${operation.path}`,
      { document, ...operation }
    ])
  )
}

function rootChanges(before: JsonObject | undefined, after: JsonObject): string[] {
  if (before === undefined) return []
  const info = (['version', 'title'] as const).flatMap((key) => {
    const [old, current] = [titleOf(before, key), titleOf(after, key)]
    return old === current ? [] : [`${key} now ${current}`]
  })
  return [
    ...info,
    ...['openapi', 'servers', 'tags', 'webhooks'].flatMap((key) =>
      sameMeaning(own(before, key), own(after, key)) ? [] : [`${key} changed`]
    )
  ]
}
