/** Parameters and headers as text: each report is compared with what the engine reads from what clients write. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { parameterSpec } from '../../../src/compiler/compile/operations/parameter-spec.ts'
import { headerText, pairsOf } from '../../../src/engine/client/parameter-text.ts'
import type { ParameterSpec } from '../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../src/engine/server/parameters/decode.ts'
import { contractOf } from '../../contract/schema-of.ts'
import { compared, withOperation } from './rows.ts'

t.setTimeout(900_000)

const document = { openapi: '3.1.0', paths: {} }
const ajv = new Ajv2020({ strict: false, logger: false })

const [text, integer, number, boolean] = ['string', 'integer', 'number', 'boolean'].map((type) => ({
  type
})) as [object, object, object, object]
const list = (items: unknown, more = {}) => ({ type: 'array', items, ...more })

const scalars: readonly object[] = [
  text,
  integer,
  number,
  boolean,
  { ...integer, minimum: 0 },
  { ...integer, minimum: 1, maximum: 3 },
  { ...integer, enum: [1, 2] },
  { ...number, maximum: 5 },
  { ...text, enum: ['true', 'false'] },
  { ...text, enum: ['1', '2', '3'] },
  { ...text, enum: ['1', 'true', 'b'] },
  { ...text, pattern: '^[0-9]+$' },
  { ...text, pattern: '^[a-c,]*$' },
  { ...text, maxLength: 2 },
  { type: ['integer', 'string'] },
  { type: ['integer', 'string'], maximum: 3 },
  { type: ['boolean', 'null'] },
  { type: ['string', 'null'] },
  { anyOf: [integer, boolean] },
  { type: ['number', 'string'], pattern: '^[a-c]$', minimum: 2 }
]
const lists: readonly object[] = [
  list(text),
  list(integer),
  list(boolean, { maxItems: 1 }),
  list({ ...text, enum: ['1', 'true'] }),
  list({ ...integer, minimum: 1 }, { minItems: 2 }),
  list(text, { maxItems: 1 }),
  list(text, { maxItems: 2, uniqueItems: true }),
  list(text, { contains: { const: 'b' } }),
  { anyOf: [text, list(text)] },
  { anyOf: [integer, list(text, { maxItems: 2 })] },
  { type: 'array', prefixItems: [integer, text] }
]

const some: readonly unknown[] = [null, true, false, 0, 1, 2, 3, 4, 7, -1, 0.5, 2.5, 10, 123456]
const words = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'zz',
  '0',
  '1',
  '2',
  '3',
  '4',
  '10',
  '00',
  '123',
  '0.5',
  '1.0',
  '-1',
  'true',
  'false',
  'null',
  'a,b'
]
const singles = [...some, ...words]
const values = [
  ...singles,
  ...singles.map((one) => [one]),
  ['a', 'b'],
  ['1', '1'],
  [1, 2, 3],
  ['b', 'zz'],
  ['b', 'zz', 'a'],
  ['1', 'true', '1'],
  [1, 'b', 'b'],
  ['1', 'true'],
  [1, 2],
  [1, 1],
  ['b', 'b'],
  [1, 'b'],
  [5, 'x']
]

interface Variant {
  readonly what: string
  readonly place: 'query' | 'header'
  readonly more: object
}
const variants: readonly Variant[] = [
  { what: 'exploded', place: 'query', more: {} },
  { what: 'joined', place: 'query', more: { explode: false } },
  { what: 'piped', place: 'query', more: { explode: false, style: 'pipeDelimited' } },
  { what: 'header', place: 'header', more: {} }
]

const object = (a: object, more = {}) => ({ type: 'object', properties: { a, b: text }, ...more })
const objects: readonly object[] = [
  ...scalars.map((schema) => object(schema)),
  object(integer, { required: ['a'] }),
  object(text, { additionalProperties: false }),
  object(text, { properties: { a: text, b: integer } }),
  { allOf: [object(boolean), { properties: { b: { ...text, maxLength: 2 } } }] },
  object(list(integer)),
  object(list(text)),
  { anyOf: [object(text, { required: ['a'] }), { type: 'object', properties: { b: integer } }] }
]
/** Lists in objects, unions of objects and undeclared names are compared as values. */
const comparesValues =
  /"properties":\{"a":\{"type":"array"|"anyOf":\[\{"type":"object"|"additionalProperties":false/

const objectValues = [
  ...singles.flatMap((a) => [{ a }, { a, b: 'abc' }]),
  ...[0, '7', 'b', 'abc'].map((b) => ({ b })),
  { a: [1, 2] },
  { a: ['b'] },
  { a: 1, b: 2 },
  { a: 'b', c: 'x' }
]
const objectVariants: readonly Variant[] = [
  ...variants.filter(({ what }) => what !== 'piped'),
  { what: 'deep', place: 'query', more: { style: 'deepObject' } },
  { what: 'exploded header', place: 'header', more: { explode: true } }
]

class Parameter {
  readonly node: Readonly<Record<string, unknown>>
  readonly #spec: ParameterSpec
  readonly #isValid: (value: unknown) => boolean
  readonly #values: readonly unknown[]

  constructor(schema: object, { place, more }: Variant) {
    this.node = { name: 'q', in: place, schema, ...more }
    const paths = { '/a': { get: { parameters: [this.node], responses: {} } } }
    const [operation] = contractOf({ ...document, paths }).operations
    this.#spec = parameterSpec(operation?.parameters[0] as never)
    this.#isValid = ajv.compile(schema)
    this.#values = [...values, ...objectValues].filter(this.#isValid)
  }

  /** Returns what clients write for each value, if this server takes it. */
  texts(): string[] {
    return this.#values.flatMap((value) => this.#text(value) ?? []).filter((raw) => this.takes(raw))
  }

  #text(value: unknown): string | undefined {
    try {
      if (this.#spec.in === 'header') return headerText(this.#spec, value)
      const pairs = pairsOf(this.#spec, value)
      return pairs.length === 0 ? undefined : pairs.map((pair) => pair.join('=')).join('&')
    } catch {
      return undefined
    }
  }

  takes(raw: string): boolean {
    const isHeader = this.#spec.in === 'header'
    const source = {
      path: {},
      query: isHeader ? '' : raw,
      headers: isHeader ? { q: raw } : {},
      cookie: undefined
    }
    const { query, headers, problems } = decodeParameters([this.#spec], source)
    const value = (isHeader ? headers : query)['q']
    return problems.length === 0 && value !== undefined && this.#isValid(value)
  }
}

type Written = Pick<Parameter, 'node'>

const verdictOf = (old: Written, now: Written) => {
  const report = compared(
    withOperation({ parameters: [old.node] }),
    withOperation({ parameters: [now.node] })
  )
  const lines = Object.values(report)
    .flat()
    .map(({ message }) => message)
  return {
    lines,
    verdict: report.breaking.length > 0 ? 'breaks' : report.undecided.length > 0 ? 'open' : 'keeps'
  }
}

const undecided: string[] = []
const tables = [
  ...variants.map((variant) => ({ variant, schemas: [...scalars, ...lists], least: [100, 400] as const })),
  ...objectVariants.map((variant) => ({ variant, schemas: objects, least: [60, 200] as const }))
]

for (const { variant, schemas, least } of tables)
  t.test(
    `no report of two ${variant.what} parameters contradicts what is read${schemas === objects ? ': objects' : ''}`,
    async (t) => {
      const all = schemas.map((schema) => new Parameter(schema, variant))
      let [kept, broken] = [0, 0]
      for (const old of all) {
        const texts = old.texts()
        for (const now of all) {
          if (old === now) continue
          const refused = texts.find((raw) => !now.takes(raw))
          const { verdict, lines } = verdictOf(old, now)
          const what = `${JSON.stringify(old.node['schema'])} → ${JSON.stringify(now.node['schema'])}: ${lines.join('; ')}`
          if (verdict === 'keeps' && refused !== undefined) t.fail(`${what}, but ${refused} is refused`)
          if (verdict === 'breaks' && refused === undefined && !comparesValues.test(what))
            t.fail(`${what}, but all texts are taken`)
          if (verdict === 'open') undecided.push(what)
          if (verdict === 'keeps') kept++
          if (verdict === 'breaks') broken++
        }
      }
      t.ok(kept > least[0], String(kept))
      t.ok(broken > least[1], String(broken))
    }
  )

t.test('few of these changes are left undecided', async (t) => {
  t.ok(undecided.length < 470, `${undecided.length} of them`)
})

interface Row {
  readonly what: string
  readonly old: object
  readonly now: object
  /** Rules of the edit, and those of its reverse. */
  readonly there: string
  readonly back: string
}

const path = (schema: unknown, more: object = {}) => ({ in: 'path', required: true, schema, ...more })
const query = (schema: unknown, more: object = {}) => ({ in: 'query', schema, ...more })
const joined = { explode: false }

const rows: readonly Row[] = [
  {
    what: 'no example shows a limit that all integers keep',
    old: query({ ...integer, format: 'int32' }),
    now: query({ ...text, maxLength: 11 }),
    there: 'open',
    back: 'breaks'
  },
  {
    what: 'a text that no example shows may be excluded from the items of a list',
    old: query(text),
    now: query(list({ ...text, not: { pattern: '(zebra)\\1' } })),
    there: 'open',
    back: 'breaks'
  },
  {
    what: 'a format that nothing is known of may exclude listed items',
    old: query(list({ ...text, enum: ['a'] })),
    now: query(list({ ...text, enum: ['a'], format: 'isbn' })),
    there: 'open',
    back: 'keeps'
  },
  {
    what: 'a text that no example shows may be read as a number that is refused',
    old: query(text),
    now: query({ type: ['integer', 'string'], not: { const: 98765 } }),
    there: 'open',
    back: 'keeps'
  },
  {
    what: 'a list with a label',
    old: path(list(integer), { style: 'label', explode: true }),
    now: path(list(text), { style: 'label', explode: true }),
    there: 'keeps',
    back: 'breaks'
  },
  {
    what: 'lists in lists have no text',
    old: query(list(list(text))),
    now: query(list(text)),
    there: 'keeps',
    back: 'breaks'
  },
  {
    what: 'a word beside a list of words that true begins',
    old: query(text),
    now: query({ anyOf: [{ ...boolean, const: true }, list(text)] }),
    there: 'open',
    back: 'breaks'
  },
  {
    what: 'a list that is joined is not read as several',
    old: query(list(text)),
    now: query(list(text), joined),
    there: 'breaks',
    back: 'breaks'
  },
  {
    what: 'a list of one at most is joined',
    old: query(list(integer, { maxItems: 1 })),
    now: query(list(text, { maxItems: 1 }), joined),
    there: 'keeps',
    back: 'breaks'
  },
  {
    what: 'items of a header that hold its delimiter are not judged by examples',
    old: { in: 'header', schema: list({ enum: ['a,b', 1] }) },
    now: { in: 'header', schema: list(text) },
    there: 'keeps',
    back: 'breaks'
  },
  {
    what: 'listed lists are not judged by shorter ones',
    old: query({ enum: [['a', 'b', 'zz']] }, joined),
    now: query(list(text, { maxItems: 2 }), joined),
    there: 'open',
    back: 'breaks'
  },
  {
    what: 'the words of a single value and of a list may be any',
    old: query({}),
    now: query(text),
    there: 'keeps',
    back: 'keeps'
  }
]

for (const { what, old, now, there, back } of rows)
  t.test(what, async (t) => {
    const [one, other] = [{ node: { name: 'q', ...old } }, { node: { name: 'q', ...now } }]
    t.equal(verdictOf(one, other).verdict, there, verdictOf(one, other).lines.join('; '))
    t.equal(verdictOf(other, one).verdict, back, verdictOf(other, one).lines.join('; '))
  })
