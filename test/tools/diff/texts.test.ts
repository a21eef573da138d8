/** Parameters and headers as text: each report is compared with what the engine reads from what clients write. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { parameterSpec } from '../../../src/compiler/compile/operations/parameter-spec.ts'
import { headerText, pairsOf } from '../../../src/engine/client/parameter-text.ts'
import type { ParameterSpec } from '../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../src/engine/server/parameters/decode.ts'
import { contractOf } from '../../contract/schema-of.ts'
import { blocksOf, compared, readYaml, sidesOf, withOperation } from './rows.ts'

t.setTimeout(900_000)

const document = { openapi: '3.1.0', paths: {} }
const ajv = new Ajv2020({ strict: false, logger: false })

const schemasIn = (text: string) => readYaml(`[${text}]`) as readonly object[]

const scalars = schemasIn(`@text, @int, @number, { type: boolean }, { type: integer, minimum: 0 },
  { type: integer, minimum: 1, maximum: 3 }, { type: integer, enum: [1, 2] }, { type: number, maximum: 5 },
  { type: string, enum: ['true', 'false'] }, { type: string, enum: ['1', '2', '3'] },
  { type: string, enum: ['1', 'true', b] }, { type: string, pattern: '^[0-9]+$' },
  { type: string, pattern: '^[a-c,]*$' }, { type: string, maxLength: 2 }, { type: [integer, string] },
  { type: [integer, string], maximum: 3 }, { type: [boolean, 'null'] }, { type: [string, 'null'] },
  { anyOf: [@int, { type: boolean }] }, { type: [number, string], pattern: '^[a-c]$', minimum: 2 }`)
const lists =
  schemasIn(`{ type: array, items: @text }, @list, { type: array, items: { type: boolean }, maxItems: 1 },
  { type: array, items: { type: string, enum: ['1', 'true'] } },
  { type: array, items: { type: integer, minimum: 1 }, minItems: 2 }, { type: array, items: @text, maxItems: 1 },
  { type: array, items: @text, maxItems: 2, uniqueItems: true },
  { type: array, items: @text, contains: { const: b } }, { anyOf: [@text, { type: array, items: @text }] },
  { anyOf: [@int, { type: array, items: @text, maxItems: 2 }] }, { type: array, prefixItems: [@int, @text] }`)

const some: readonly unknown[] = [null, true, false, 0, 1, 2, 3, 4, 7, -1, 0.5, 2.5, 10, 123456]
const numerals = ['0', '1', '2', '3', '4', '10', '00', '123', '0.5', '1.0', '-1']
const words = ['', 'a', 'b', 'ab', 'abc', 'zz', ...numerals, 'true', 'false', 'null', 'a,b']
const singles = [...some, ...words]
const values = [
  ...singles,
  ...singles.map((one) => [one]),
  ...(readYaml("[[a, b], ['1', '1'], [b, b], [b, zz], [b, zz, a], ['1', 'true'], ['1', 'true', '1']]") as []),
  ...(readYaml('[[1, 2], [1, 1], [1, 2, 3], [1, b], [1, b, b], [5, x]]') as [])
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

const objects = [
  ...scalars.map((a) => ({ type: 'object', properties: { a, b: { type: 'string' } } })),
  ...schemasIn(`{ type: object, properties: { a: @int, b: @text }, required: [a] },
    { type: object, properties: { a: @text, b: @text }, additionalProperties: false },
    { type: object, properties: { a: @text, b: @int } },
    { allOf: [{ type: object, properties: { a: { type: boolean }, b: @text } },
      { properties: { b: { type: string, maxLength: 2 } } }] },
    { type: object, properties: { a: @list, b: @text } },
    { type: object, properties: { a: { type: array, items: @text }, b: @text } },
    { anyOf: [{ type: object, properties: { a: @text, b: @text }, required: [a] },
      { type: object, properties: { b: @int } }] }`)
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

/** Edits of a query parameter, or of another one; the verdict of the edit, and that of its reverse. */
const rows = `
no example shows a limit that all integers keep
  { schema: «{ type: integer, format: int32 } → { type: string, maxLength: 11 }» }
  open, breaks
a text that no example shows may be excluded from the items of a list
  { schema: «@text → { type: array, items: { type: string, not: { pattern: '(zebra)\\1' } } }» }
  open, breaks
a format that nothing is known of may exclude listed items
  { schema: { type: array, items: { type: string, enum: [a]«→ , format: isbn» } } }
  open, keeps
a text that no example shows may be read as a number that is refused
  { schema: «@text → { type: [integer, string], not: { const: 98765 } }» }
  open, keeps
a list with a label
  { in: path, required: true, style: label, explode: true, schema: { type: array, items: «@int → @text» } }
  keeps, breaks
lists in lists have no text: { schema: { type: array, items: «{ type: array, items: @text } → @text» } }
  keeps, breaks
a word beside a list of words that true begins
  { schema: «@text → { anyOf: [{ type: boolean, const: true }, { type: array, items: @text }] }» }
  open, breaks
a list that is joined is not read as several: { schema: { type: array, items: @text }«→ , explode: false» }
  breaks, breaks
a list of one at most is joined
  { schema: { type: array, items: «@int → @text», maxItems: 1 }«→ , explode: false» }
  open, breaks
items of a header that hold its delimiter are not judged by examples
  { in: header, schema: { type: array, items: «{ enum: ['a,b', 1] } → @text» } }
  keeps, breaks
a listed list is longer than others may be
  { explode: false, schema: «{ enum: [[a, b, zz]] } → { type: array, items: @text, maxItems: 2 }» }
  breaks, breaks
the words of a single value and of a list may be any: { schema: «{} → @text» }
  keeps, keeps
`

for (const { title, lines } of blocksOf(rows))
  t.test(title, async (t) => {
    const [old, now] = sidesOf(lines.slice(0, -1).join(' ')).map((more) => ({
      node: { name: 'q', in: 'query', ...(more as object) }
    }))
    const [there, back] = [
      verdictOf(old as Written, now as Written),
      verdictOf(now as Written, old as Written)
    ]
    t.equal(`${there.verdict}, ${back.verdict}`, lines.at(-1), [...there.lines, ...back.lines].join('; '))
  })
