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
  const rows: readonly (readonly [name: string, media: JsonObject, item: Json | undefined])[] = [
    ['itemSchema', { itemSchema: number }, number],
    ['itemSchema beside a schema', { itemSchema: number, schema: { type: 'array' } }, number],
    ['a schema of an item', { schema: to('Plant') }, to('Plant')],
    ['any item', { schema: true }, {}],
    ['a schema of all items', { schema: { type: 'array', items: to('Plant') } }, to('Plant')],
    ['a reference to one', { schema: to('List') }, number],
    ['any items', { schema: { type: 'array' } }, {}],
    ['items of a part', { schema: { allOf: [{ type: 'array' }, { items: number }] } }, number],
    ['a schema of text', { schema: to('Text') }, undefined],
    ['a schema of text or null', { schema: { type: ['string', 'null'] } }, undefined],
    ['no schema', {}, undefined]
  ]
  for (const [name, media, item] of rows)
    for (const mediaType of ['application/jsonl', 'Application/X-NDJSON; a=b', 'application/json-seq']) {
      const sequence = of(mediaType, media)
      t.strictSame(sequence?.item, item, `${name}: ${mediaType}`)
    }
  t.equal(of('application/json', { itemSchema: number }), undefined)
})

t.test('the forms of events', async (t) => {
  const wordOrJson = {
    oneOf: [
      { properties: { event: { const: 'word' } } },
      { properties: { event: { const: 'number' }, data: jsonText(number) } }
    ]
  }
  const rows: readonly (readonly [name: string, item: Json, forms: readonly object[]])[] = [
    ['text', event(text), [{ isText: true, schema: event(text), data: text }]],
    ['a value', to('Plain'), [{ schema: to('Plain'), data: to('Plant') }]],
    ['JSON in text', event(jsonText(number)), [{ schema: event(number), data: number }]],
    ['any JSON', event(jsonText()), [{ schema: event({}), data: {} }]],
    ['a reference', to('Event'), [{ schema: { allOf: [event(number)] }, data: number }]],
    [
      'JSON by a part of allOf, or null',
      event({
        type: ['string', 'null'],
        allOf: [{ contentMediaType: 'application/json', contentSchema: number }]
      }),
      [{ schema: event({ anyOf: [number, { type: 'null' }] }), data: { anyOf: [number, { type: 'null' }] } }]
    ],
    [
      'data of both kinds',
      event({ anyOf: [text, number, jsonText(to('Plant'))] }),
      [
        {
          isText: true,
          schema: event({ anyOf: [text, false, false] }),
          data: { anyOf: [text, false, false] }
        },
        {
          schema: event({ anyOf: [false, number, to('Plant')] }),
          data: { anyOf: [false, number, to('Plant')] }
        }
      ]
    ],
    [
      'text that some events narrow to JSON',
      event(text, wordOrJson),
      [
        {
          isText: true,
          schema: event(text, {
            oneOf: [
              { properties: { event: { const: 'word' } } },
              { properties: { event: { const: 'number' }, data: false } }
            ]
          }),
          data: text
        },
        {
          schema: event(
            {},
            {
              oneOf: [
                { allOf: [{ properties: { event: { const: 'word' } } }, { properties: { data: false } }] },
                { properties: { event: { const: 'number' }, data: number } }
              ]
            }
          ),
          data: number
        }
      ]
    ],
    [
      'events of several kinds',
      { type: 'object', oneOf: [event(text), event(number)] },
      [
        { isText: true, schema: { type: 'object', oneOf: [event(text), event(false)] }, data: text },
        { schema: { type: 'object', oneOf: [event(false), event(number)] }, data: number }
      ]
    ],
    [
      'events by condition',
      {
        type: 'object',
        if: { properties: { event: { const: 'word' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: event(text),
        else: event(jsonText(number))
      },
      [
        {
          isText: true,
          schema: {
            type: 'object',
            if: { properties: { event: { const: 'word' } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: event(text),
            else: event(false)
          },
          data: text
        },
        {
          schema: {
            type: 'object',
            if: { properties: { event: { const: 'word' } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: event(false),
            else: event(number)
          },
          data: number
        }
      ]
    ]
  ]
  for (const [name, itemSchema, forms] of rows)
    t.match(of('text/event-stream', { itemSchema }), { framing: 'events', isEvent: true, forms }, name)
})

t.test('a schema without data is that of the data', async (t) => {
  const rows: readonly (readonly [item: Json, forms: readonly object[]])[] = [
    [text, [{ isText: true, schema: text, data: text }]],
    [true, [{ schema: {}, data: {} }]],
    [to('Plant'), [{ schema: to('Plant'), data: to('Plant') }]],
    [to('Json'), [{ schema: number, data: number }]],
    [
      { oneOf: [text, number] },
      [
        { isText: true, schema: { oneOf: [text, false] }, data: { oneOf: [text, false] } },
        { schema: { oneOf: [false, number] }, data: { oneOf: [false, number] } }
      ]
    ]
  ]
  for (const [itemSchema, forms] of rows)
    t.match(
      of('text/event-stream', { itemSchema }),
      { framing: 'events', isEvent: undefined, forms },
      JSON.stringify(itemSchema)
    )
})

t.test('a schema that refers to itself is read once', async (t) => {
  const formsOf = (name: string) => of('text/event-stream', { itemSchema: to(name) })?.forms
  t.strictSame(
    formsOf('Loop')?.map(({ isText }) => isText),
    [true, undefined]
  )
  t.equal(formsOf('DataLoop')?.length, 2)
})
