/** Reads what a contract says of the items of a sequential media type (OpenAPI 3.2.0, section 4.14.3). */
import { anyValue, type Content, make, merged, type Schema } from '@contract-first/contract'
import type { Items } from '@contract-first/engine/model'
import { formsOfData, formsOfEvent, overridden } from './event-data.ts'

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
