/** The body of a response: a valid example of the contract, otherwise one made from the schema. */

import { anyValue, type Content, make, type Schema } from '@contract-first/contract'
import { FailureError } from '@contract-first/engine/errors'
import type { CompiledCode, Items, ResponseContent } from '@contract-first/engine/model'
import { itemList } from '../../compiler/compile/operations/sequence.ts'
import { maxCharacters, maxValues } from '../samples/budget.ts'
import { type Example, examplesIn, impossiblePart, plainInstance } from '../samples/plain-instance.ts'
import { exampleItems, isSendable } from '../samples/requests/sequence.ts'
import { bodyText, sampleFile } from './body-text.ts'
import { accepting, anyText, type ValueSource } from './declared-responses.ts'
import { essence } from './prefer.ts'

interface Wanted {
  readonly content: ResponseContent
  readonly declared: Content
  readonly mediaType: string
  /** Name of the example that the client asks for. */
  readonly name: string | undefined
  /** Operation and status, for warnings. */
  readonly label: string
}

interface Body {
  readonly body: unknown
  /** Name of the example; undefined for other bodies. */
  readonly exampleName?: string | undefined
}

/** Bodies that do not change, by request. */
export type Bodies = Map<string, Body>

export interface MockSource extends ValueSource {
  /** Is called with a sentence about an invalid example. */
  readonly onWarning: (warning: string) => void
}

/** @throws {FailureError} when the schema has no instance */
export function bodyFor(wanted: Wanted, source: MockSource, known: Bodies): Body {
  if (source.isDynamic && schemaOf(wanted) !== undefined) return made(wanted, source)
  const key = JSON.stringify([wanted.label, wanted.mediaType, wanted.name])
  const found = known.get(key) ?? exampleBody(wanted, source) ?? made(wanted, source)
  known.set(key, found)
  return found
}

/** @returns the first valid example; each invalid one is reported */
function exampleBody(wanted: Wanted, source: MockSource): Body | undefined {
  const { declared, name, label, mediaType } = wanted
  const listed = examplesIn(declared, essence(mediaType)).filter(
    (each) => name === undefined || each.name === name
  )
  for (const example of listed) {
    const body = example.value === undefined ? undefined : asBody(example.value, wanted, source)
    if (body !== undefined) return { body, exampleName: example.name }
    source.onWarning(`${label} ${mediaType}: ${exampleLabel(example)} is not valid and is not sent`)
  }
  return undefined
}

const exampleLabel = ({ name }: Example): string =>
  name === undefined ? 'the example' : `the example ${name}`

function made(wanted: Wanted, source: MockSource): Body {
  const { content, label, mediaType } = wanted
  const { seed, isDynamic = false } = source
  const sample = sampleFile(essence(mediaType))
  if (sample !== undefined) return { body: bytes(sample) }
  const schema = schemaOf(wanted) ?? (isJson(content, mediaType) ? emptyObject : anyText)
  const accepts = (value: unknown) => asBody(value, wanted, source) !== undefined
  let bound = ''
  const onTooLarge = () => {
    bound = ` within ${maxValues} values and ${maxCharacters} characters`
  }
  const options = { direction: 'response', accepts, seed, usesExamples: !isDynamic } as const
  const instance = plainInstance(schema, { ...options, onTooLarge })
  if (instance !== undefined) return { body: asBody(instance, wanted, source) }
  const place = impossiblePart(schema, 'response')
  const reason = place === '' ? '' : `: no value is found for ${place}`
  const message = `no body is found that fits what ${label} declares${bound}${reason}`
  throw new FailureError('not-implemented', { message })
}

/** Number of items that are made; a longer sequence repeats them. */
const madeItems = 3

const schemaOf = ({ content, declared }: Wanted): Schema | undefined =>
  content.items === undefined
    ? declared.schema
    : itemList(declared, { minItems: madeItems, maxItems: madeItems })

const emptyObject = make({ const: {} }, anyValue)

const isJson = ({ kind, mediaType }: ResponseContent, sent: string): boolean =>
  mediaType.includes('*') ? /[/+]json$/.test(essence(sent)) : kind === 'json'

/** @returns the body as the engine expects it, without `writeOnly` properties; undefined for a value that does not fit */
function asBody(value: unknown, wanted: Wanted, { code, shown }: MockSource): unknown {
  const { content, declared, mediaType } = wanted
  if (content.items !== undefined) {
    const items = asItems(value, content.items, code)
    return items && shown(items, itemList(declared) ?? anyValue)
  }
  const fits = accepting(content, code)
  const { schema = anyValue } = declared
  const sent = shown(value, schema)
  if (isJson(content, mediaType)) return fits(value) ? sent : undefined
  const written = bodyText(sent, essence(mediaType), schema)
  if (content.kind !== 'text') return bytes(written)
  // A text whose schema describes decoded content is not validated as a text.
  if (typeof value === 'string') return fits(written) ? written : undefined
  return bytes(written)
}

/** @returns undefined when an item does not fit */
function asItems(value: unknown, items: Items, code: CompiledCode): readonly unknown[] | undefined {
  const found = exampleItems(items, value)
  const fits = (item: unknown) =>
    isSendable(items, item) && items.forms.some((form) => accepting(form, code)(item))
  return found.every(fits) ? found : undefined
}

const bytes = (body: string | Buffer): Buffer => Buffer.from(body)
