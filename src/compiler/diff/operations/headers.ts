/** Compares the headers of an answer. */
import { dereference, type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import type { Role } from '../cases/side.ts'
import type { Both, Draft } from './draft.ts'
import { mediaTypeName } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

interface Answer {
  readonly document: JsonObject
  readonly response: JsonObject
}

type Headers = ReadonlyMap<string, { readonly name: string; readonly node: JsonObject }>

export function headerDrafts({ old, now }: Both<Answer>, schemas: SchemaChanges, role: Role): Draft[] {
  const [before, after] = [headersOf(old), headersOf(now)]
  return [
    ...[...before].flatMap(([key, { name, node }]) => {
      const current = after.get(key)
      const found =
        current === undefined
          ? [removed(name, node, now.response)]
          : headerChanges(
              { old: node, now: current.node },
              { schemas, role, name, documents: { old: old.document, now: now.document } }
            )
      return found.map((draft) => ({ ...draft, place: `header/${name}${draft.place}` }))
    }),
    ...[...after].flatMap(([key, { name, node }]) =>
      before.has(key)
        ? []
        : [
            {
              rule: 'response-header-added',
              place: `header/${name}`,
              text: `header ${name} added`,
              spot: { node }
            } as const
          ]
    )
  ]
}

/**
 * Returns the headers by lower-case name, without `Content-Type`, which is described elsewhere (OpenAPI 3.1.0, section
 * 4.8.17).
 */
function headersOf({ document, response }: Answer): Headers {
  const declared = Object.entries(objectOf(own(response, 'headers')))
  return new Map(
    declared
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, header]) => [name.toLowerCase(), { name, node: objectOf(dereference(document, header)) }])
  )
}

const isRequired = (node: JsonObject): boolean => own(node, 'required') === true

function removed(name: string, node: JsonObject, response: JsonObject): Draft {
  const rule = isRequired(node) ? 'required-response-header-removed' : 'optional-response-header-removed'
  return { rule, place: '', text: `header ${name} is gone`, spot: { node: response, key: 'headers' } }
}

interface Context {
  readonly schemas: SchemaChanges
  readonly role: Role
  readonly name: string
  readonly documents: Both<JsonObject>
}

function headerChanges({ old, now }: Both<JsonObject>, { schemas, role, name, documents }: Context): Draft[] {
  const [was, is] = [writtenAs(old), writtenAs(now)]
  const schema = { old: schemaOf(documents.old, old), now: schemaOf(documents.now, now) }
  const hasExplode = (own(old, 'explode') === true) !== (own(now, 'explode') === true)
  const isExplodeSeen = hasExplode && schemas.typesOf({ ...schema, role }).has('object')
  return [
    ...requiredDrafts({ old, now }, name),
    ...(was === is && !isExplodeSeen
      ? []
      : [
          {
            rule: 'response-header-serialization-changed',
            place: '',
            text: `header ${name} is written otherwise`,
            spot: { node: now, key: was === is ? 'explode' : 'content' }
          } as const
        ]),
    ...schemas.changes({ ...schema, role, place: '', spot: { node: now, key: 'schema' } })
  ]
}

function requiredDrafts({ old, now }: Both<JsonObject>, name: string): Draft[] {
  if (isRequired(old) === isRequired(now)) return []
  const rule = isRequired(now) ? 'response-header-became-required' : 'response-header-became-optional'
  const text = `header ${name} is ${isRequired(now) ? 'now required' : 'no longer required'}`
  return [{ rule, place: '', text, spot: { node: now, key: 'required' } }]
}

const writtenAs = (node: JsonObject): string => {
  const [type] = Object.keys(objectOf(own(node, 'content')))
  return type === undefined ? 'simple' : mediaTypeName(type)
}

function schemaOf(document: JsonObject, node: JsonObject): Json {
  const [media] = Object.values(objectOf(own(node, 'content')))
  return own(node, 'schema') ?? own(objectOf(dereference(document, media)), 'schema') ?? true
}
