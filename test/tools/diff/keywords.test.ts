/**
 * Each rule for schemas, with a pair of schemas; and no keyword changes at any place of a document without a line there,
 * also where several change at once.
 */
import t from 'tap'
import type { Report } from '../../../src/tools/diff/diff.ts'
import { schemaRules } from '../../../src/tools/diff/schemas/rules.ts'
import { compared, type Node, rowsOf, ruleLines, withSchema } from './rows.ts'

t.setTimeout(900_000)

/** Schemas that some rows refer to. */
const schemas =
  rowsOf(`Components: {}
  Cat: { type: object, properties: { kind: @text, age: @int }, required: [kind, age] }
  Dog: { type: object, properties: { kind: @text, age: { type: integer, maximum: 20 } }, required: [kind, age] }
  Cow: { type: object, properties: { kind: @text, age: @text }, required: [kind, age] }
  Hen: { type: object, properties: { kind: @text, eggs: @text }, required: [kind] }
  Owl: { type: object, properties: { kind: @text, wings: @text }, required: [kind] }
  Wide: { type: integer, maximum: 9 }
  NarrowTree: { type: object, properties: { value: { type: integer, maximum: 3 }, next: @NarrowTree } }
  WideTree: { type: object, properties: { value: { type: integer, maximum: 9 }, next: @WideTree } }`)[0]
    ?.schemas[0] ?? {}

/** Schemas of which the first allows less, with the rules for a schema that narrows and for one that widens. */
const rulePairs = rowsOf(`
type-narrowed, type-widened: @int < { type: [integer, string] }
null-refused, null-allowed: @text < { type: [string, 'null'] }
enum-value-removed, enum-value-added: { enum: [a«< , b»] }
minimum-raised, minimum-lowered: { type: number, minimum: «3 < 2» }
maximum-lowered, maximum-raised: { type: number, maximum: «2 < 3» }
multiple-of-narrowed, multiple-of-widened: { type: number, multipleOf: «0.2 < 0.1» }
min-length-raised, min-length-lowered: { type: string, minLength: «3 < 2» }
max-length-lowered, max-length-raised: { type: string, maxLength: «2 < 3» }
pattern-narrowed, pattern-widened: { type: string, pattern: '^[a-z]+$' } < @text
format-narrowed, format-widened: { type: string, format: date } < @text
content-schema-narrowed, content-schema-widened: { type: string, contentSchema: «@int < {}» }
min-items-raised, min-items-lowered: { type: array, minItems: «3 < 2» }
max-items-lowered, max-items-raised: { type: array, maxItems: «2 < 3» }
unique-items-required, unique-items-dropped: { type: array«, uniqueItems: true <» }
min-properties-raised, min-properties-lowered: { type: object, minProperties: «3 < 2» }
max-properties-lowered, max-properties-raised: { type: object, maxProperties: «2 < 3» }
property-became-required, property-became-optional
  { type: object, properties: { a: @text }«, required: [a] <» }
required-property-added, required-property-removed
  { type: object«, properties: { a: @text }, required: [a] <» }
closed-property-removed, closed-property-added
  { type: object, properties: { a: @text«< , b: @text» }, additionalProperties: false }
additional-properties-narrowed, additional-properties-widened
  { type: object«, additionalProperties: @text <» }
property-names-narrowed, property-names-widened: { type: object«, propertyNames: { maxLength: 2 } <» }
dependent-required-added, dependent-required-removed: { type: object«, dependentRequired: { a: [b] } <» }
dependent-schemas-narrowed, dependent-schemas-widened
  { type: object, properties: { a: @text }«, dependentSchemas: { a: { required: [b] } } <» }
not-narrowed, not-widened: { type: string«, not: { const: ab } <» }
condition-narrowed, condition-widened
  { type: object, properties: { a: @text }«, if: { required: [a] }, then: { required: [b] } <» }
contains-narrowed, contains-widened: { type: array«, contains: { const: 1 } <» }
alternative-removed, alternative-added: { oneOf: [@cat«< , @dog»] }
schema-narrowed, schema-widened: { oneOf: [@number, @int] } < @number
discriminator-value-narrowed, discriminator-value-widened
  { oneOf: [@Cat, @Dog],
    discriminator: { propertyName: kind, mapping: { Cat: Cat, Dog: Dog, x: «Dog < Cat» } } }
`)

/** Other schemas of which the first allows less, by the keyword that differs. */
const keywordPairs = rowsOf(`
type integer: @int < @number
enum of objects: { enum: [{ title: a, description: a }«< , { title: b, description: b }»] }
const: { const: 1 } < { enum: [1, 2] }
exclusiveMinimum: { type: number, «exclusiveMinimum: < minimum:» 3 }
format of numbers: { type: integer, format: «int32 < int64» }
unknown format: { type: string, format: colour } < @text
items: { type: array, items: «@int < { type: [integer, boolean] }» }
prefixItems: { type: array, prefixItems: [«@int < { type: [integer, boolean] }»] }
items after prefixItems: { type: array, prefixItems: [@text]«, items: false <» }
minContains: { type: array, contains: @int«, minContains: 2 <» }
maxContains: { type: array, contains: @int, maxContains: «2 < 3» }
unevaluatedItems: { type: array, prefixItems: [@text], unevaluatedItems: «false < @int» }
unevaluatedItems beside contains
  { type: array, prefixItems: [@text], contains: { «const: 1 < enum: [1, 2]» }, unevaluatedItems: false }
a declared property that is required: { type: object, «properties: { a: @text }, <»required: [a] }
properties: { type: object, properties: { a: «@int < { type: [integer, boolean] }» } }
additionalProperties false: { type: object, properties: { a: @text }«, additionalProperties: false <» }
schema of additionalProperties: { type: object, additionalProperties: «@int < { type: [integer, boolean] }» }
patternProperties: { type: object, patternProperties: { '^x': «@int < { type: [integer, boolean] }» } }
dependentRequired of names that describe schemas: { type: object, dependentRequired: { title: [«b <»] } }
dependencies: { type: object, dependencies: { a: [«b <»] } }
unevaluatedProperties: { type: object, properties: { a: @text }, unevaluatedProperties: «false < @int» }
unevaluatedProperties beside then
  { type: object, properties: { a: @text }, if: { type: object, required: [a] },
    «< then: { properties: { b: @text } }, »unevaluatedProperties: false }
unevaluatedProperties beside dependentSchemas
  { type: object, properties: { a: @text }, «< dependentSchemas: { a: { properties: { b: @text } } },
    »unevaluatedProperties: false }
anyOf of lists: { anyOf: [{ type: array, items: @text }«< , { type: array, items: @int }»] }
oneOf of numbers that overlap: { «oneOf: < anyOf:» [@int, { type: number, minimum: 3 }] }
oneOf of objects that overlap
  { «oneOf: < anyOf:» [{ type: object, required: [a] }, { type: object, required: [b] }] }
oneOf of objects with properties that overlap
  { «oneOf: < anyOf:» [{ type: object, properties: { a: @text }, required: [a] }, { type: object,
    properties: { b: @text }, required: [b] }] }
oneOf of lists that overlap
  { «oneOf: < anyOf:» [{ type: array, contains: { const: 1 } }, { type: array, contains: { const: 2 } }] }
oneOf of texts that overlap
  { «oneOf: < anyOf:» [{ type: string, pattern: '^a' }, { type: string, pattern: 'b$' }] }
oneOf beside an alternative of both
  { oneOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }
  < { anyOf: [{ oneOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }, { type: object,
    required: [a, b] }] }
oneOf within allOf: { type: object, allOf: [{ «oneOf: < anyOf:» [{ required: [a] }, { required: [b] }] }] }
not of objects: { type: object, not: { type: object«< , properties: { a: @int }» } }
not required: { type: object, not: { required: [a«< , b»] } }
if: { if: «@int < { type: integer, minimum: 9 }», then: { maximum: 3 } }
then: { type: integer, if: { minimum: 2 }, then: { maximum: «3 < 4» } }
else: { type: integer, if: { minimum: 9 }, else: { multipleOf: «6 < 3» } }
then with a property
  { type: object, if: { required: [a] }, then: { type: object«, properties: { b: @int } <» } }
$ref with siblings: { $ref: '#/components/schemas/Wide', maximum: «3 < 4» }
a schema that refers to itself: @NarrowTree < @WideTree
`)

/** Schemas of which neither includes the other, or which are read otherwise, with the rules there and back. */
const readings = rowsOf(`
type-changed: @text → @int
multiple-of-changed: { type: number, multipleOf: «2 → 3» }
pattern-changed: { type: string, pattern: '^[«a-z → A-Z»]' }
format-changed: { type: string, format: «date → date-time» }
content-encoding-changed: { type: string, contentEncoding: base64 } → @text
content-media-type-changed: { type: string, contentMediaType: image/png } → @text
discriminator-changed: { oneOf: [@cat, @dog], discriminator: { propertyName: «kind → name» } }
discriminator-changed
  { oneOf: [@cat, @dog], discriminator: { propertyName: kind,
    defaultMapping: «Cat → '#/components/schemas/Dog'» } }
discriminator-added-or-removed: { oneOf: [@cat, @dog]«, discriminator: { propertyName: kind } →» }
default-changed: { type: string, default: a } → @text
xml-changed: { type: string, xml: { attribute: true } } → @text
property-added, property-removed: { type: object«→ , properties: { a: @text }» }
property-deprecated, property-undeprecated: @text → { type: string, deprecated: true }
discriminator-value-added, discriminator-value-removed
  { oneOf: [@cat, @dog], discriminator: { propertyName: kind, mapping: { cat: Cat«→ , dog: Dog» } } }
discriminator-value-moved
  { oneOf: [@Cat, @Cow],
    discriminator: { propertyName: kind, mapping: { Cat: Cat, Cow: Cow, x: «Cat → Cow» } } }
default-changed: { type: object, default: { title: «a → b» } }
xml-changed: { type: string, xml: { name: «a → b» } }
content-encoding-changed: { type: string, contentEncoding: «base64 → base64url» }
`)

/** Returns 150 alternatives: two such unions have 22,500 pairs. */
const texts = (start: string): string =>
  Array.from({ length: 150 }, (_none, index) => `{ type: string, pattern: '^${start}${index}' }`).join(', ')

/** Requests that cannot be decided: no value of the first is known to be refused by the second. */
const undecidedPairs = rowsOf(String.raw`
min-length-undecided: { type: string, pattern: '^[A-Z]{2}-[0-9]{4}$'«→ , minLength: 7» }
max-length-undecided: { type: string, pattern: '^[A-Z]{2}-[0-9]{4}$'«→ , maxLength: 7» }
pattern-undecided: { type: string, pattern: «'^a{3}$' → '^aaa\b'» }
content-schema-undecided: { type: string, contentSchema: «@text → { type: string, format: plate-number }» }
format-undecided: @text → { type: string, format: plate-number }
property-names-undecided: { type: object«→ , propertyNames: { pattern: '^(?!zebra\b)' }» }
dependent-schemas-undecided: { type: object«→ , dependentSchemas: { zebra: { required: [b] } }» }
not-undecided: @text → { type: string, not: { pattern: '(zebra)\1' } }
condition-undecided: { type: string«→ , if: { pattern: '^(?=zebra)' }, then: { maxLength: 1 }» }
contains-undecided: { type: array, minItems: 1, items: @text«→ , contains: { format: plate-number }» }
schema-undecided
  { oneOf: [{ type: object, properties: { a: @text, b: @text }, required: [a] }«→ , { type: object,
    properties: { a: @text, b: @text }, required: [b] }»] }
alternative-undecided
  { anyOf: [«{ type: integer, minimum: 0, maximum: 9 } → { type: integer, minimum: 0, maximum: 4 },
    { type: integer, minimum: 5, maximum: 9 }», { type: integer, minimum: 100, multipleOf: 7 }] }
discriminator-value-undecided
  { oneOf: [@Hen, @Owl],
    discriminator: { propertyName: kind, mapping: { Hen: Hen, Owl: Owl, x: «Hen → Owl» } } }
comparison-undecided
  { anyOf: [${texts('a')}] } → { anyOf: [${texts('b')}] }
`)

type Role = 'request' | 'response'
const seen = new Set<string>()

function lines(role: Role, one: unknown, other: unknown): string[] {
  const found = ruleLines(compared(withSchema(role, one, schemas), withSchema(role, other, schemas)))
  for (const line of found) seen.add(line.replace(/^\w+ /, ''))
  return found
}

for (const { title, old: narrow, now: wide } of rulePairs) {
  const [narrowed, widened] = title.split(', ')
  // It is not known if a server needs what clients still send.
  const list = widened === 'required-property-removed' ? 'undecided' : 'compatible'
  t.test(`${narrowed}: requests may only widen, answers may only narrow`, async (t) => {
    t.strictSame(lines('request', wide, narrow), [`breaking request-${narrowed}`])
    t.strictSame(lines('request', narrow, wide), [`${list} request-${widened}`])
    t.strictSame(lines('response', narrow, wide), [`breaking response-${widened}`])
    t.strictSame(lines('response', wide, narrow), [`compatible response-${narrowed}`])
  })
}

for (const { title, old, now } of readings) {
  const [rule, reverse = rule] = title.split(', ')
  t.test(`${rule}, and ${reverse} by the reverse edit`, async (t) => {
    for (const role of ['request', 'response'] as const) {
      t.match(lines(role, old, now), [new RegExp(` ${role}-${rule}$`)])
      t.match(lines(role, now, old), [new RegExp(` ${role}-${reverse}$`)])
    }
  })
}

for (const { title: rule, old, now } of undecidedPairs)
  t.test(`${rule} is never silent`, async (t) => {
    t.ok(lines('request', old, now).includes(`undecided request-${rule}`))
    t.ok(lines('response', now, old).includes(`undecided response-${rule}`))
  })

t.test('read-only properties leave requests, write-only ones leave answers', async (t) => {
  const object = (more: Node) => ({ type: 'object', properties: { a: { type: 'string', ...more } } })
  const [plain, readOnly, writeOnly] = [object({}), object({ readOnly: true }), object({ writeOnly: true })]
  t.strictSame(lines('request', plain, readOnly), ['breaking request-property-hidden'])
  t.strictSame(lines('request', readOnly, plain), ['compatible request-property-shown'])
  t.strictSame(lines('response', plain, writeOnly), ['undecided response-property-hidden'])
  t.strictSame(lines('response', writeOnly, plain), ['compatible response-property-shown'])
  t.strictSame(lines('response', plain, readOnly), [])
})

t.test('every rule of schemas has been reported above', async (t) => {
  t.ok(schemaRules.length > 130)
  t.strictSame(
    schemaRules.map(({ id }) => id).filter((id) => !seen.has(id)),
    []
  )
})

const json = (schema: unknown) => ({ 'application/json': { schema } })
const parameter = (name: string, where: string, schema: unknown) => ({ name, in: where, schema })

/** Returns a document that has the schema at every place. */
function everywhere(schema: unknown): Node {
  const form = { type: 'object', properties: { f: schema } }
  const stream = { 'application/jsonl': { itemSchema: schema } }
  const sent = {
    parameters: [parameter('X-A', 'header', schema), parameter('q', 'query', schema)],
    requestBody: { content: json(schema) },
    responses: { 200: { description: 'OK', headers: { 'X-B': { schema } }, content: json(schema) } }
  }
  const served = {
    parameters: [
      { ...parameter('v', 'path', schema), required: true },
      ...['query', 'header', 'cookie'].map((where) => parameter('p', where, schema)),
      { name: 'm', in: 'query', content: json(schema) }
    ],
    requestBody: {
      content: {
        ...json(schema),
        ...stream,
        'application/merge-patch+json': { schema },
        'application/x-www-form-urlencoded': { schema: form },
        'multipart/form-data': {
          schema: form,
          encoding: { f: { contentType: 'application/json', headers: { 'X-P': { schema } } } }
        }
      }
    },
    responses: {
      200: {
        description: 'OK',
        headers: { 'X-B': { schema }, 'X-M': { content: json(schema) } },
        content: { ...json(schema), ...stream }
      },
      '4XX': { description: 'No', content: json(schema) },
      default: { description: 'No', content: json(schema) }
    },
    callbacks: { done: { '{$request.query.url}': { post: sent } } }
  }
  return {
    ...{ openapi: '3.1.0', info: { title: 'Things', version: '1' }, components: { schemas } },
    paths: { '/things/{v}': { post: served } },
    webhooks: { event: { post: sent } }
  }
}

const operation = 'POST /things/{v}'
const events = [`${operation} callbacks/done post {$request.query.url}`, 'webhooks/event post']
const at = (subjects: readonly string[], ...places: readonly string[]) =>
  subjects.flatMap((subject) => places.map((place) => `${subject} ${place}`))
const within = (subjects: readonly string[], ...places: readonly string[]) =>
  subjects.flatMap((subject) => places.map((place) => `${subject}/${place}`))

/** Places by who sends the values; those of texts, which `1` and `"1"` share, apart. */
const places = {
  client: [
    ...at([operation], 'query/m', 'body', 'body(application/jsonl)/*', 'body(application/merge-patch+json)'),
    ...at([operation], 'body(multipart/form-data)/f'),
    ...within(events, '200/body')
  ],
  clientTexts: [
    ...at([operation], 'path/v', 'query/p', 'header/p', 'cookie/p'),
    ...at([operation], 'body(application/x-www-form-urlencoded)/f', 'body(multipart/form-data)/f/header/X-P'),
    ...within(events, '200/header/X-B')
  ],
  server: [
    ...at([operation], '200/body', '200/body(application/jsonl)/*', '200/header/X-M', '4XX/body'),
    ...at([operation], 'default/body'),
    ...within(events, 'body')
  ],
  serverTexts: [...at([operation], '200/header/X-B'), ...within(events, 'header/X-A', 'query/q')]
}

/** Pairs whose difference a text in a parameter or a header may not show. */
const unseenInTexts = ['null-refused, null-allowed', 'type integer', 'anyOf of lists']

const hurting = ['breaking', 'undecided'] as const
const any = ['breaking', 'undecided', 'compatible'] as const

/** Returns the places at and below which no change of the lists is reported. */
function silent(report: Report, lists: readonly (keyof Report)[], places: readonly string[]): string[] {
  const lines = lists.flatMap((list) =>
    report[list].map(({ operation, place }) => `${operation ?? ''} ${place}`.trim())
  )
  return places.filter((place) => !lines.some((line) => `${line}/`.startsWith(`${place}/`)))
}

t.test(
  'what narrows breaks those who send, what widens those who read, at every place of a document',
  async (t) => {
    for (const { title, old: narrow, now: wide } of [...rulePairs, ...keywordPairs]) {
      const isSeen = !unseenInTexts.includes(title)
      const [client, server] = [
        [...places.client, ...(isSeen ? places.clientTexts : [])],
        [...places.server, ...(isSeen ? places.serverTexts : [])]
      ]
      const narrowed = compared(everywhere(wide), everywhere(narrow))
      t.strictSame(silent(narrowed, hurting, client), [], `${title} narrowed`)
      t.strictSame(
        silent(narrowed, any, [...places.server, ...places.serverTexts]),
        [],
        `${title} narrowed, read`
      )
      const widened = compared(everywhere(narrow), everywhere(wide))
      t.strictSame(silent(widened, hurting, server), [], `${title} widened`)
      t.strictSame(
        silent(widened, any, [...places.client, ...places.clientTexts]),
        [],
        `${title} widened, sent`
      )
    }
  }
)

t.test('what changes the reading of a value has a line at every place of a document', async (t) => {
  const all = Object.values(places).flat()
  for (const { title, old, now } of readings) {
    t.strictSame(silent(compared(everywhere(old), everywhere(now)), any, all), [], title)
    t.strictSame(silent(compared(everywhere(now), everywhere(old)), any, all), [], `${title}, reversed`)
  }
})

/** Returns an object that has the schema in every place within a schema. */
const holding = (schema: unknown): Node => ({
  type: 'object',
  properties: {
    ...{ first: schema, second: schema, third: schema, all: { allOf: [schema, {}] } },
    list: { type: 'array', items: schema },
    tuple: { type: 'array', prefixItems: [schema, schema] },
    map: { type: 'object', additionalProperties: schema },
    named: { type: 'object', patternProperties: { '^x-': schema } },
    one: { allOf: ['in', 'out'].map((name) => ({ type: 'object', properties: { [name]: schema } })) },
    cats: {
      oneOf: ['cat', 'dog'].map((kind) => ({
        type: 'object',
        properties: { kind: { const: kind }, [kind]: schema },
        required: ['kind']
      }))
    }
  }
})

t.test('each of several places in one schema has a line', async (t) => {
  const inside = within(
    ['POST /things body'],
    ...['first', 'second', 'third', 'list/*', 'tuple/0', 'tuple/1', 'map/*', 'named/~^x-', 'all'],
    ...['one/in', 'one/out', 'cats/cat', 'cats/dog']
  )
  for (const { title, old: narrow, now: wide } of [...rulePairs, ...keywordPairs]) {
    const [less, more] = [narrow, wide].map((each) => withSchema('request', holding(each), schemas))
    t.strictSame(silent(compared(more ?? {}, less ?? {}), hurting, inside), [], `${title} narrowed`)
    t.strictSame(silent(compared(less ?? {}, more ?? {}), any, inside), [], `${title} widened`)
  }
})

/** Pairs of schemas of one type whose keywords do not depend on others. */
const independent = [...rulePairs, ...keywordPairs].filter(({ title, old, now }) => {
  const types = new Set([old, now].map((schema) => Object(schema).type))
  return (
    types.size === 1 &&
    !types.has(undefined) &&
    !/unevaluated|closed|after|schema of|enum|const|dependencies/.test(title)
  )
})

const keysIn = (...schemas: readonly unknown[]) =>
  new Set(schemas.flatMap((schema) => Object.keys(Object(schema))))

t.test('two keywords of one schema have a line each', async (t) => {
  const messages = (from: unknown, to: unknown) => {
    const { breaking, undecided } = compared(withSchema('request', from), withSchema('request', to))
    return new Set(
      [...breaking, ...undecided].map(({ message }) =>
        message.replace(/(no longer accepts|may refuse) .*/, 'overlap')
      )
    )
  }
  let count = 0
  for (const [index, one] of independent.entries())
    for (const other of independent.slice(index + 1)) {
      const common = keysIn(one.old, one.now).intersection(keysIn(other.old, other.now))
      if (Object(one.now).type !== Object(other.now).type || common.size > 1) continue
      count++
      const wide = { ...Object(one.now), ...Object(other.now) }
      const both = messages(wide, { ...Object(one.old), ...Object(other.old) })
      const alone = messages(one.now, one.old).union(messages(other.now, other.old))
      t.strictSame([...alone.difference(both)], [], `${one.title} and ${other.title}`)
    }
  t.ok(count > 100, String(count))
})
