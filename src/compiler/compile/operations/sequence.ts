/** Reads what a contract says of the items of a sequential media type (OpenAPI 3.2.0, section 4.14.3). */
import { type Framing, framingOf } from '@contract-first/engine/media-types'
import type { Items } from '@contract-first/engine/model'
import { type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { dereference } from '../document/reference.ts'
import { Shapes } from '../shapes/shape.ts'
import { EventData, overridden } from './event-data.ts'

export interface Sequence extends Omit<Items, 'forms'> {
  readonly forms: readonly SequenceForm[]
}

export interface SequenceForm {
  readonly isText?: true
  /** Schema of an item, as handlers give and receive it. */
  readonly schema: Json
  /** Schema of what is written as JSON: of the item, or of the data of the event. */
  readonly data: Json
}

/** Document, and the shapes of its schemas. */
interface Contract {
  readonly document: JsonObject
  readonly shapes: Shapes
}

/**
 * @param media the media type object
 * @returns undefined for a media type that is not sequential, and for items without a schema
 */
export function sequenceOf(mediaType: string, media: JsonObject, contract: Contract): Sequence | undefined {
  const framing = framingOf(mediaType)
  const schema = framing === undefined ? undefined : itemSchema(media, contract)
  if (framing === undefined || schema === undefined) return undefined
  return framing === 'events'
    ? events(framing, schema, contract)
    : { framing, forms: [{ schema, data: schema }] }
}

/** Returns the schema of the list of all items; undefined for items without a schema, and for any other media type. */
export function itemList(mediaType: string, media: JsonObject, document: JsonObject): JsonObject | undefined {
  const sequence = sequenceOf(mediaType, media, { document, shapes: new Shapes(document) })
  return sequence && { type: 'array', items: anyItem(sequence) }
}

/** Before 3.2 `schema` is that of an item, or of all items as an array; one of a string describes the bytes. */
function itemSchema(media: JsonObject, { document, shapes }: Contract): Json | undefined {
  const [item, schema] = [own(media, 'itemSchema'), own(media, 'schema')]
  if (item !== undefined || schema === undefined) return item
  const { types, items } = shapes.of([schema])
  if (types?.has('string') && isOnly(types, ['string', 'null'])) return undefined
  if (types === undefined || !isOnly(types, ['array'])) return schema
  return own(objectOf(dereference(document, schema)), 'items') ?? oneOf(items)
}

/** An event is an object with `data`; any other schema is that of the data. */
function events(framing: Framing, item: Json, contract: Contract): Sequence {
  const { types, properties } = contract.shapes.of([item])
  const eventData = new EventData(contract.document, contract.shapes)
  if (!properties.has('data') || types === undefined || !isOnly(types, ['object']))
    return { framing, forms: eventData.forms(item).map((form) => ({ ...form, data: form.schema })) }
  const forms = eventData.formsOfEvent(item).map((form) => {
    const data = contract.shapes.of([form.schema]).properties.get('data') ?? []
    return { ...form, data: oneOf(data.filter((schema) => schema !== false && schema !== overridden)) }
  })
  return { framing, isEvent: true, forms }
}

/** Returns the schema of an item in any form. */
export const anyItem = ({ forms }: Sequence): Json => oneOf(forms.map(({ schema }) => schema))

const isOnly = (types: ReadonlySet<string>, allowed: readonly string[]): boolean =>
  types.isSubsetOf(new Set(allowed))

/** Returns one schema for a value to which any of the schemas may apply. */
function oneOf(schemas: readonly Json[]): Json {
  const [single = true] = schemas
  return schemas.length < 2 ? single : { anyOf: [...schemas] }
}
