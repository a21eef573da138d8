/** Schemas, each with the form of its plain instances. */
import { stringify } from '../../../src/engine/json/exact-values.ts'
import type { Direction } from '../../../src/tools/samples/samples.ts'
import { read } from '../../contracts/exchanges.ts'

export interface Case {
  readonly name: string
  readonly schema: unknown
  /** Version of OpenAPI; both by default. */
  readonly version?: '3.0.3' | '3.1.0'
  /** Directions; the response by default. */
  readonly directions?: readonly Direction[]
  /** Pattern of the instance for `t.match`. */
  readonly plain?: unknown
  readonly is?: (value: never) => boolean
  readonly isImpossible?: true
}

interface Row {
  readonly schema: unknown
  readonly plain?: unknown
}
type Group = 'any' | 'both' | 'request' | '3.0.3' | '3.1.0' | 'impossible'
interface Table extends Readonly<Record<Group, readonly Row[]>> {
  readonly components: object
  readonly formats: string
  readonly texts: readonly object[]
}

const table = read(`${import.meta.dirname}/schemas.yaml`) as Table
export const { components } = table

const constructors = { String, Number, Array }

/** Returns what `t.match` compares with. */
function patternOf(plain: unknown): unknown {
  if (typeof plain === 'string' && plain.startsWith('~')) return new RegExp(plain.slice(1))
  if (typeof plain === 'string' && plain.startsWith('=')) return Reflect.get(constructors, plain.slice(1))
  if (Array.isArray(plain)) return plain.map(patternOf)
  if (typeof plain !== 'object' || plain === null) return plain
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, patternOf(value)]))
}

const cases = (group: Group, more: Partial<Case> = {}): readonly Case[] =>
  table[group].map(({ schema, ...row }) => ({
    ...{ name: stringify(schema as never), schema },
    ...('plain' in row && { plain: patternOf(row.plain) }),
    ...more
  }))

export const schemas: readonly Case[] = [
  ...cases('both', { directions: ['request', 'response'] }),
  ...cases('any'),
  ...cases('request', { directions: ['request'] }),
  ...[...table.texts, ...table.formats.split(' ').map((format) => ({ format }))].map((keywords) => ({
    ...{ name: JSON.stringify(keywords), schema: { type: 'string', ...keywords } }
  })),
  ...cases('3.0.3', { version: '3.0.3' }),
  ...cases('3.1.0', { version: '3.1.0' }),
  ...cases('impossible', { isImpossible: true }),
  {
    name: 'int64',
    schema: { type: 'integer', format: 'int64', minimum: 9_223_372_036_854_775_800n },
    is: (value: unknown) => typeof value === 'bigint'
  },
  {
    name: 'multiple',
    schema: { type: 'integer', multipleOf: 1.5, minimum: 1, maximum: 6 },
    is: (value: number) => value % 3 === 0
  },
  {
    name: 'two multiples',
    schema: { allOf: [{ type: 'integer', multipleOf: 4 }, { multipleOf: 6 }] },
    is: (value: number) => value % 12 === 0
  },
  {
    name: '__proto__',
    schema: JSON.parse(
      '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"string"}}}'
    )
  }
]
