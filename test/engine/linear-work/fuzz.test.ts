/**
 * The CPU time of validation grows with the body for random schemas that refer to each other, and random nested bodies.
 * A number as an argument tests more seeds: `node test/engine/linear-work/fuzz.test.ts 200`.
 */
import t from 'tap'
import { Choices } from '../../contracts/large/choices.ts'
import { compiled, ref, type Schemas } from './compiled.ts'
import { assertLinear } from './rows.ts'

t.setTimeout(900_000)

const seeds = Number(process.argv[2] ?? 4)
const names = ['S0', 'S1', 'S2', 'S3']

class Generator {
  readonly #choices: Choices

  constructor(seed: number) {
    this.#choices = new Choices(String(seed))
  }

  schemas(): Schemas {
    return Object.fromEntries(names.map((name) => [name, this.#schema(3)]))
  }

  /**
   * Returns a random schema. References stand only below members and items: a schema that refers to itself in place has
   * no meaning.
   */
  #schema(depth: number): unknown {
    const keywords = Array.from({ length: 1 + this.#choices.below(2) }, () => this.#keyword(depth))
    return Object.assign({}, ...keywords)
  }

  #keyword(depth: number): object {
    const member = () =>
      depth > 0 && this.#choices.below(3) === 0 ? this.#schema(depth - 1) : ref(this.#pick(names))
    const inPlace = () => this.#schema(depth - 1)
    const two = () => [inPlace(), inPlace()]
    const leaves: (() => object)[] = [
      () => ({ properties: { c: member(), k: { const: this.#pick(['a', 'b']) } } }),
      () => ({ properties: { c: member(), n: { type: 'integer', format: 'int64' } } }),
      () => ({ additionalProperties: member() }),
      () => ({ patternProperties: { '^c': member(), k$: {} } }),
      () => ({ items: member() }),
      () => ({ contains: member(), minContains: this.#choices.below(2) }),
      () => ({ uniqueItems: true, items: member() }),
      () => ({ prefixItems: [member()], items: member() }),
      () => ({ const: { k: 'a' } })
    ]
    const composed: (() => object)[] = [
      () => ({ oneOf: two() }),
      () => ({ anyOf: two() }),
      () => ({ allOf: two() }),
      () => ({ not: inPlace() }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      () => ({ if: inPlace(), then: inPlace(), else: inPlace() }),
      () => ({ dependentSchemas: { c: inPlace() } }),
      () => ({ anyOf: two(), unevaluatedProperties: member() })
    ]
    return this.#pick(depth > 0 ? [...leaves, ...composed] : leaves)()
  }

  /** Makes bodies of one pattern at any depth: the levels repeat. */
  body(): (size: number) => string {
    const levels = Array.from({ length: 3 }, () => this.#pick(wrappers))
    return (size) => {
      const open = Array.from({ length: size }, (_, index) => levels[index % levels.length] as Wrapper)
      const before = open.map(([start]) => start).join('')
      const after = open.map(([, end]) => end).reverse()
      return `${before}{"k":"a"}${after.join('')}`
    }
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#choices.below(list.length)] as T
  }
}

type Wrapper = readonly [before: string, after: string]
const wrappers: readonly Wrapper[] = [
  ['{"k":"a","c":', '}'],
  ['{"k":"c","n":9007199254740993,"c":', '}'],
  ['{"c":', ',"d":1}'],
  ['[', ']'],
  ['[1,', ',"a"]'],
  ['[{"k":"a"},', ']']
]

for (let seed = 0; seed < seeds; seed++)
  t.test(`seed ${seed}`, async (t) => {
    const generator = new Generator(seed)
    const read = await compiled(t, generator.schemas())
    const rows = names.map((name) => {
      const body = generator.body()
      const work = (size: number) => {
        const bytes = Buffer.from(body(size))
        return () => read(name, bytes)
      }
      return { about: `${name} ${body(3)}`, size: 50, work }
    })
    await assertLinear(t, rows)
  })
