/**
 * Reads what a contract says of the items of a sequential media type (OpenAPI 3.2.0, section 4.14.3), and rewrites the schemas
 * of server-sent events for handlers. The data of an event is text; where its schema is that of another type, or says
 * `contentMediaType: application/json`, handlers give and receive the value that the text holds. A union may have events of
 * both kinds: it becomes two forms, each without the events of the other one.
 */
import { anyValue, type Content, endOf, make, merged, type Schema } from '@contract-first/contract'
import { bodyKind } from '@contract-first/engine/media-types'
import type { Items } from '@contract-first/engine/model'

export interface Sequence extends Omit<Items, 'forms'> {
  readonly forms: readonly SequenceForm[]
}

export interface SequenceForm {
  readonly isText?: true
  /** Schema of an item, as handlers give and receive it. */
  readonly schema: Schema
  /** Schema of what is written as JSON: of the item, or of the data of the event. */
  readonly data: Schema
}

/** @returns undefined for a content that is no sequence, and for items without a schema */
export function sequenceOf({ sequence }: Content): Sequence | undefined {
  if (sequence === undefined) return undefined
  const { framing, item, isEvent } = sequence
  if (framing !== 'events') return { framing, forms: [{ schema: item, data: item }] }
  if (!isEvent) return { framing, forms: formsOfData(item).map((form) => ({ ...form, data: form.schema })) }
  const forms = formsOfEvent(item).map((form) => {
    const data = merged([form.schema]).properties.get('data') ?? []
    return { ...form, data: oneOf(data.filter((each) => each.never !== true && each !== overridden)) }
  })
  return { framing, isEvent, forms }
}

/** Returns the schema of an item in any form. */
export const anyItem = ({ forms }: Sequence): Schema => oneOf(forms.map(({ schema }) => schema))

/** Returns one schema for a value to which any of the schemas may apply. */
function oneOf(schemas: readonly Schema[]): Schema {
  const [single = anyValue] = schemas
  return schemas.length < 2 ? single : make({ anyOf: schemas }, single)
}

/** Returns the schema of the list of all items; undefined for a content that is no sequence. */
export function itemList(
  content: Content,
  limits: Pick<Schema, 'minItems' | 'maxItems'> = {}
): Schema | undefined {
  const sequence = sequenceOf(content)
  return (
    sequence && make({ types: new Set(['array'] as const), items: anyItem(sequence), ...limits }, content)
  )
}

/** Text; a value; text that holds JSON, whose schema is `contentSchema`. */
type Kind = 'text' | 'value' | 'json-text'

/** Kinds of data that a form takes. */
const taken = { text: new Set<Kind>(['text']), json: new Set<Kind>(['value', 'json-text']) } as const
type Form = keyof typeof taken

interface DataForm {
  readonly isText?: true
  readonly schema: Schema
}

/** Lists of schemas of which each applies, or one does. */
const unions = ['anyOf', 'oneOf'] as const
const branches = ['then', 'else'] as const

/** Schema of data that branches describe. */
export const overridden: Schema = make({}, anyValue)

/** Returns the forms of data that has this schema. */
function formsOfData(data: Schema): DataForm[] {
  return formsOf(kindsOfData(data), (form) => rewrittenData(data, form))
}

/** Returns the forms of an event, an object with `data`. */
function formsOfEvent(event: Schema): DataForm[] {
  return formsOf(kindsOf(event), (form) => rewrittenEvent(event, form, new Set()))
}

/** Rewrites what stands for `data` in a schema of an event. Schemas that need no change stay shared. */
function rewrittenEvent(event: Schema, form: Form, within: ReadonlySet<Schema>): Schema {
  if (within.has(event) || isPlain(kindsOf(event), form)) return event
  const seen = new Set(within).add(event)
  const { ref, name: _name, allOf = [], properties = new Map<string, Schema>(), ...others } = event
  const data = properties.get('data')
  const parts = partsOf(event)
  // Data of the other form beside branches with data of this form says what the text is, not what it holds.
  const isDropped =
    data !== undefined &&
    kindsOfData(data).isDisjointFrom(taken[form]) &&
    parts.some((part) => !kindsOf(part).isDisjointFrom(taken[form]))
  const rewrite = (part: Schema) => rewrittenEvent(part, form, seen)
  const branch = (part: Schema) =>
    isDropped && kindsOf(part).isDisjointFrom(taken[form])
      ? make({ allOf: [rewrite(part), withoutData(part)] }, part)
      : rewrite(part)
  const all = [...(ref === undefined ? [] : [ref]), ...allOf].map(rewrite)
  const changed = data && (isDropped ? overridden : rewrittenData(data, form))
  return {
    ...others,
    ...(event.properties && {
      properties: changed ? new Map(properties).set('data', changed) : properties
    }),
    ...(all.length > 0 && { allOf: all }),
    ...mapped(event, unions, (list) => list.map(branch)),
    ...mapped(event, branches, branch)
  }
}

/** Rewrites the schema of data; that of the other form becomes `false`. */
function rewrittenData(data: Schema, form: Form, within: ReadonlySet<Schema> = new Set()): Schema {
  const kinds = kindsOfData(data)
  const schema = endOf(data)
  if (isPlain(kinds, form) || within.has(schema)) return data
  const holder = jsonTextIn(schema)
  if (holder !== undefined) return form === 'text' ? make({ never: true }, data) : contentOf(schema, holder)
  if (kinds.isDisjointFrom(taken[form])) return make({ never: true }, data)
  const seen = new Set(within).add(schema)
  const { name: _name, ...others } = schema
  return {
    ...others,
    ...mapped(schema, unions, (list) => list.map((part) => rewrittenData(part, form, seen)))
  }
}

/** Returns the kinds of data that an event may have. */
function kindsOf(event: Schema, seen = new Set<Schema>()): Set<Kind> {
  if (seen.has(event)) return new Set()
  seen.add(event)
  const data = event.properties?.get('data')
  const own = data === undefined ? [] : kindsOfData(data)
  return new Set([...own, ...partsOf(event).flatMap((part) => [...kindsOf(part, seen)])])
}

function kindsOfData(data: Schema, seen: ReadonlySet<Schema> = new Set()): Set<Kind> {
  const schema = endOf(data)
  if (jsonTextIn(schema) !== undefined) return new Set(['json-text'])
  const parts = seen.has(schema) ? [] : unions.flatMap((key) => schema[key] ?? [])
  if (parts.length > 0)
    return new Set(parts.flatMap((part) => [...kindsOfData(part, new Set(seen).add(schema))]))
  const { types } = merged([data])
  const isText = types?.has('string') === true && types.isSubsetOf(new Set(['string', 'null']))
  return new Set([isText ? 'text' : 'value'])
}

/** Returns the schemas in which an event may say what its data is. */
const partsOf = ({ ref, allOf = [], anyOf = [], oneOf = [], then, else: otherwise }: Schema): Schema[] =>
  [ref, ...allOf, ...anyOf, ...oneOf, then, otherwise].filter((part) => part !== undefined)

/** Returns the schema that says that the text is JSON: this one, or a part of its `allOf`. */
const jsonTextIn = (schema: Schema): Schema | undefined =>
  [schema, ...(schema.allOf ?? []).map(endOf)].find(
    ({ content }) => bodyKind(content?.mediaType ?? '') === 'json'
  )

/** @param holder the schema with `contentMediaType` */
function contentOf(schema: Schema, holder: Schema): Schema {
  const content = holder.content?.schema ?? anyValue
  const isNullable = merged([schema]).types?.has('null') === true
  const none = make({ types: new Set(['null'] as const) }, holder)
  return isNullable ? make({ anyOf: [content, none] }, holder) : content
}

const withoutData = (event: Schema): Schema =>
  make({ properties: new Map([['data', make({ never: true }, event)]]) }, event)

function formsOf(kinds: ReadonlySet<Kind>, schemaIn: (form: Form) => Schema): DataForm[] {
  const isText = !kinds.isDisjointFrom(taken.text)
  const isJson = !isText || !kinds.isDisjointFrom(taken.json)
  return [
    ...(isText ? [{ isText: true, schema: schemaIn('text') } as const] : []),
    ...(isJson ? [{ schema: schemaIn('json') }] : [])
  ]
}

/** Returns true for a schema that is the same for handlers as in the contract. */
const isPlain = (kinds: ReadonlySet<Kind>, form: Form): boolean =>
  kinds.isSubsetOf(new Set<Kind>([form === 'text' ? 'text' : 'value']))

/** Returns the members of a schema that it has, rewritten. */
function mapped<Key extends keyof Schema>(
  schema: Schema,
  keys: readonly Key[],
  rewrite: (value: Exclude<Schema[Key], undefined>) => Schema[Key]
): Partial<Schema> {
  const members = keys.flatMap((key) => {
    const value = schema[key]
    return value === undefined ? [] : [[key, rewrite(value as Exclude<Schema[Key], undefined>)] as const]
  })
  return Object.fromEntries(members) as Partial<Schema>
}
