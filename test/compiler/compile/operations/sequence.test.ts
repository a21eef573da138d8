/** The items of sequential media types: their schema as handlers give it, and the forms of events. */
import t from 'tap'
import { anyItem, sequenceOf } from '../../../../src/compiler/compile/operations/sequence.ts'
import type { Schema } from '../../../../src/contract/contract.ts'
import type { Json, JsonObject } from '../../../../src/contract/model/json.ts'
import { SchemaPrinter } from '../../../contract/print-schema.ts'
import { contractOf } from '../../../contract/schema-of.ts'

const text: JsonObject = { type: 'string' }
const number: JsonObject = { type: 'integer' }
const jsonText = (contentSchema?: Json): JsonObject => ({
  type: 'string',
  contentMediaType: 'application/json',
  ...(contentSchema === undefined ? {} : { contentSchema })
})
const event = (data: Json, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { data, event: text },
  ...more
})
const document: JsonObject = {
  components: {
    schemas: {
      Plant: { type: 'object', properties: { id: number } },
      List: { type: 'array', items: number },
      Text: text,
      Json: jsonText(number),
      Event: event({ $ref: '#/components/schemas/Json' }),
      Plain: event({ $ref: '#/components/schemas/Plant' }),
      Loop: event(text, { anyOf: [{ $ref: '#/components/schemas/Loop' }, event(jsonText(number))] }),
      DataLoop: { anyOf: [{ $ref: '#/components/schemas/DataLoop' }, text] }
    }
  }
}
const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const of = (mediaType: string, media: JsonObject) => {
  const operation = { requestBody: { content: { [mediaType]: media } } }
  const contract = contractOf({ ...document, paths: { '/a': { post: operation } } })
  const [content] = contract.operations[0]?.body?.contents ?? []
  const sequence = content && sequenceOf(content)
  const printer = new SchemaPrinter(contract.components.schemas)
  const printed = (schema: Schema) => printer.schema(schema)
  const forms = sequence?.forms.map(({ schema, data, ...form }) => ({
    ...form,
    schema: printed(schema),
    data: printed(data)
  }))
  return sequence && { ...sequence, forms, item: printed(anyItem(sequence)) }
}

t.test('the schema of an item', async (t) => {
  const rows: readonly (readonly [media: JsonObject, item: Json | undefined])[] = [
    [{ itemSchema: number, schema: { type: 'array' } }, number],
    [{ schema: to('Plant') }, to('Plant')],
    [{ schema: true }, {}],
    [{ schema: { type: 'array', items: to('Plant') } }, to('Plant')],
    [{ schema: to('List') }, number],
    [{ schema: { type: 'array' } }, {}],
    [{ schema: { allOf: [{ type: 'array' }, { items: number }] } }, number],
    [{ schema: { oneOf: [to('List'), { type: 'array', items: text }] } }, { anyOf: [number, text] }],
    [{ schema: to('Text') }, undefined],
    [{ schema: { type: ['string', 'null'] } }, undefined],
    [{}, undefined]
  ]
  for (const [media, item] of rows)
    for (const mediaType of ['application/jsonl', 'Application/X-NDJSON; a=b', 'application/json-seq'])
      t.strictSame(of(mediaType, media)?.item, item, `${JSON.stringify(media)}: ${mediaType}`)
  t.equal(of('application/json', { itemSchema: number }), undefined)
})

interface Form {
  readonly isText?: true
  readonly data: Json
  /** Schema of the item, if it is not an event of the data. */
  readonly schema?: Json
}

const textForm: Form = { isText: true, data: text }
const kind = (name: string, more: JsonObject = {}): JsonObject => ({
  properties: { event: { const: name }, ...more }
})
const byCondition = (word: JsonObject, other: JsonObject): JsonObject => ({
  type: 'object',
  if: kind('word'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: word,
  else: other
})

/** Schemas of an event, and the forms that a handler gives. */
const events: readonly (readonly [item: Json, ...forms: Form[]])[] = [
  [event(text), textForm],
  [to('Plain'), { data: to('Plant'), schema: to('Plain') }],
  [event(jsonText(number)), { data: number }],
  [event(jsonText()), { data: {} }],
  [to('Event'), { data: number, schema: { allOf: [event(number)] } }],
  [
    event({
      type: ['string', 'null'],
      allOf: [{ contentMediaType: 'application/json', contentSchema: number }]
    }),
    { data: { anyOf: [number, { type: 'null' }] } }
  ],
  [
    event({ anyOf: [text, number, jsonText(to('Plant'))] }),
    { isText: true, data: { anyOf: [text, false, false] } },
    { data: { anyOf: [false, number, to('Plant')] } }
  ],
  [
    event(text, { oneOf: [kind('word'), kind('number', { data: jsonText(number) })] }),
    {
      ...textForm,
      schema: event(text, { oneOf: [kind('word'), kind('number', { data: false })] })
    },
    {
      data: number,
      schema: event(
        {},
        {
          oneOf: [
            { allOf: [kind('word'), { properties: { data: false } }] },
            kind('number', { data: number })
          ]
        }
      )
    }
  ],
  [
    { type: 'object', oneOf: [event(text), event(number)] },
    { ...textForm, schema: { type: 'object', oneOf: [event(text), event(false)] } },
    { data: number, schema: { type: 'object', oneOf: [event(false), event(number)] } }
  ],
  [
    byCondition(event(text), event(jsonText(number))),
    { ...textForm, schema: byCondition(event(text), event(false)) },
    { data: number, schema: byCondition(event(false), event(number)) }
  ]
]

/** Schemas without data, which are those of the data. */
const bare: readonly (readonly [item: Json, ...forms: Form[]])[] = [
  [text, textForm],
  [true, { data: {} }],
  [to('Plant'), { data: to('Plant') }],
  [to('Json'), { data: number }],
  [
    { oneOf: [text, number] },
    { isText: true, data: { oneOf: [text, false] } },
    { data: { oneOf: [false, number] } }
  ]
]

t.test('the forms of events, and of data alone', async (t) => {
  for (const [rows, isEvent] of [
    [events, true],
    [bare, undefined]
  ] as const)
    for (const [itemSchema, ...forms] of rows) {
      const wanted = forms.map((form) => ({ schema: isEvent ? event(form.data) : form.data, ...form }))
      const found = of('text/event-stream', { itemSchema })
      t.match(found, { framing: 'events', isEvent, forms: wanted }, JSON.stringify(itemSchema))
    }
})

t.test('a schema that refers to itself is read once', async (t) => {
  const formsOf = (name: string) => of('text/event-stream', { itemSchema: to(name) })?.forms
  t.strictSame(
    formsOf('Loop')?.map(({ isText }) => isText),
    [true, undefined]
  )
  t.equal(formsOf('DataLoop')?.length, 2)
})
