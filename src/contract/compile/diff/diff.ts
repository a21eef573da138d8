/** What an edit of the contract changed, for people: two bundled documents, compared by operations and schemas. */

import { type JsonObject, objectOf, own, stringify, stringOf } from '../document/json-value.ts'
import { operationNodes } from '../document/operation-objects.ts'
import { operationChanges } from './operation.ts'
import { objectFrom, sameMeaning } from './same-meaning.ts'
import { schemaChanges } from './schema.ts'

/** By what they concern: `operations` → `+ listThings`; in the order in which they are told. */
export type Changes = ReadonlyMap<string, readonly string[]>

/** @param before what was compiled last; undefined when nothing was */
export function changesOf(before: JsonObject | undefined, after: JsonObject): Changes {
  const old = before ?? {}
  const changes = new Map([
    ['operations', operationsChanged(old, after)],
    ['schemas', named(component(old, 'schemas'), component(after, 'schemas'), schemaChanges)],
    ['security schemes', named(component(old, 'securitySchemes'), component(after, 'securitySchemes'))],
    ['contract', rootChanges(before, after)]
  ])
  const told = new Map([...changes].filter(([, list]) => list.length > 0))
  const isSilent = told.size === 0 && stringify(before) !== stringify(after)
  return isSilent ? new Map([['descriptions', ['changed; nothing else has']]]) : told
}

/** `operations: + listThings   schemas: Thing.tag now required`; over several lines where one would be long. */
export function formatChanges(changes: Changes): string {
  if (changes.size === 0) return 'nothing has changed'
  const parts = [...changes].map(([concern, list]) => `${concern}: ${bounded(list).join(', ')}`)
  const line = parts.join('   ')
  return line.length <= 110 ? line : parts.join('\n')
}

const shown = 12

function bounded(list: readonly string[]): string[] {
  return list.length <= shown + 1 ? [...list] : [...list.slice(0, shown), `and ${list.length - shown} more`]
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
  const version = (document: JsonObject) => String(own(objectOf(own(document, 'info')), 'version'))
  const title = (document: JsonObject) => String(own(objectOf(own(document, 'info')), 'title'))
  return [
    ...(version(before) === version(after) ? [] : [`version now ${version(after)}`]),
    ...(title(before) === title(after) ? [] : [`title now ${title(after)}`]),
    ...['openapi', 'servers', 'tags', 'webhooks'].flatMap((key) =>
      sameMeaning(own(before, key), own(after, key)) ? [] : [`${key} changed`]
    )
  ]
}
