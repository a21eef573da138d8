/** Makes a value of a schema without an example (JSON Schema 2020-12), if its keywords are simple enough. */
import { isNode, type Node, type ReadNode } from './examples.ts'
import { mergedSchema } from './merged-schema.ts'
import { sampleNumber } from './sample-number.ts'

/** Maximum depth; deeper schemas are usually recursive. */
const maxDepth = 6
/** Keywords that prevent a sample, because they are not interpreted. */
const hard = [
  'not',
  'if',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'pattern',
  'prefixItems'
]

/** Most schemas to read for one sample: `allOf` in 28 levels, or lists of lists, mean hundreds of millions. */
const maxReads = 1_000
/** Most characters of a text. */
const maxText = 1_000

class TooLarge extends Error {}

/** @returns undefined if no value is known to be valid, or only one that is too long to paste */
export function sampleOf(schema: unknown, read: ReadNode): unknown {
  let reads = 0
  const counted: ReadNode = (value) => {
    if (++reads > maxReads) throw new TooLarge()
    return read(value)
  }
  try {
    return sampleAt(schema, counted, 0)
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

function sampleAt(schema: unknown, read: ReadNode, depth: number): unknown {
  if (!isNode(schema) || depth > maxDepth) return undefined
  const node = mergedSchema(read(schema), read)
  const { const: only, enum: listed, examples } = node
  const [first] = [examples, listed].flatMap((list) => (Array.isArray(list) ? [list[0]] : []))
  const given = node['example'] ?? first ?? node['default'] ?? only
  if (given !== undefined || hard.some((keyword) => keyword in node)) return given
  return samples[typeOf(node)]?.(node, (inner) => sampleAt(inner, read, depth + 1))
}

function typeOf({ type, properties, items }: Node): string {
  const types = [type ?? []].flat()
  const named = types.find((each) => each !== 'null') ?? types[0]
  if (named !== undefined) return String(named)
  if (properties !== undefined) return 'object'
  return items === undefined ? 'string' : 'array'
}

type Inner = (schema: unknown) => unknown

const samples: Readonly<Record<string, (schema: Node, inner: Inner) => unknown>> = {
  string: textOf,
  integer: sampleNumber,
  number: sampleNumber,
  boolean: () => true,
  null: () => null,
  array: listOf,
  object: objectOf
}

const formats: Readonly<Record<string, string>> = {
  date: '2030-01-31',
  'date-time': '2030-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': 'https://example.com/',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
}

const defaultText = 'text'

function textOf({ format, minLength, maxLength, contentEncoding }: Node): string | undefined {
  const [min, max] = [Number(minLength ?? 0), Number(maxLength ?? Number.MAX_SAFE_INTEGER)]
  const known = formats[String(format)] ?? (contentEncoding === 'base64' ? 'dGV4dA==' : undefined)
  const text = known ?? defaultText.padEnd(Math.min(min, maxText), 'x').slice(0, max)
  return text.length >= min && text.length <= max ? text : undefined
}

function listOf({ items, minItems, uniqueItems }: Node, inner: Inner): unknown {
  const min = Number(minItems ?? 0)
  if (min > maxReads || (min > 1 && uniqueItems === true)) return undefined
  const made = Array.from({ length: Math.max(1, min) }, () => inner(items ?? {}))
  return made.includes(undefined) ? (min === 0 ? [] : undefined) : made
}

/** Makes an object of the required properties; without any, of all properties that have a sample. */
function objectOf({ properties, required, minProperties }: Node, inner: Inner): unknown {
  const names: readonly string[] = Array.isArray(required) ? required : []
  const declared = new Map(Object.entries(Object(properties)).filter(([, schema]) => !isReadOnly(schema)))
  const readOnly = Object.keys(Object(properties)).filter((name) => !declared.has(name))
  const wanted = names.length > 0 ? names.filter((name) => !readOnly.includes(name)) : [...declared.keys()]
  const made = wanted.map((name) => [name, inner(declared.get(name))] as const)
  const known = made.filter(([, value]) => value !== undefined)
  const isWhole = names.length === 0 || known.length === made.length
  return isWhole && known.length >= Number(minProperties ?? 0) ? Object.fromEntries(known) : undefined
}

/** Returns true for a property that a client must not send (OpenAPI 3.1.0, section 4.8.24). */
const isReadOnly = (schema: unknown): boolean => {
  const { readOnly, allOf } = Object(schema)
  return readOnly === true || (Array.isArray(allOf) && allOf.some(isReadOnly))
}
