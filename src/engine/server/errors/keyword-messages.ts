/** Messages by the keyword that reports the error. They quote the contract, never the request. */

interface Finding {
  readonly keyword: string
  readonly params: Record<string, unknown>
}

type Params = Record<string, unknown>

const maxValueLength = 64
const maxPatternLength = 128
const maxValues = 12

const int32 = `must be an integer from ${-(2 ** 31)} to ${2 ** 31 - 1}`
const notAllowed = () => 'is not allowed'
const comparison = ({ comparison, limit }: Params) => `must be ${comparison} ${limit}`
const requiredWith = ({ property }: Params) => `is required when ${property} is present`
const atLeast = (unit: string, units: string) => {
  return ({ limit }: Params) => `must have at least ${counted(limit, unit, units)}`
}
const atMost = (unit: string, units: string) => {
  return ({ limit }: Params) => `must have at most ${counted(limit, unit, units)}`
}

const messages = new Map<string, (params: Params) => string>([
  ['required', () => 'is required'],
  ['dependentRequired', requiredWith],
  ['dependencies', requiredWith],
  ['additionalProperties', notAllowed],
  ['unevaluatedProperties', notAllowed],
  ['false schema', notAllowed],
  ['propertyNames', () => 'is not an allowed name'],
  ['readOnly', () => 'is read-only and must not be sent'],
  ['writeOnly', () => 'is write-only and must not be sent'],
  ['enum', oneOfValues],
  ['const', oneOfValues],
  ['minimum', comparison],
  ['maximum', comparison],
  ['exclusiveMinimum', comparison],
  ['exclusiveMaximum', comparison],
  ['multipleOf', ({ multipleOf }) => `must be a multiple of ${multipleOf}`],
  ['int64', () => `must be an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`],
  ['minLength', atLeast('character', 'characters')],
  ['maxLength', atMost('character', 'characters')],
  ['minBytes', atLeast('byte', 'bytes')],
  ['maxBytes', atMost('byte', 'bytes')],
  ['minItems', atLeast('item', 'items')],
  ['maxItems', atMost('item', 'items')],
  ['items', atMost('item', 'items')],
  ['unevaluatedItems', atMost('item', 'items')],
  ['minProperties', atLeast('property', 'properties')],
  ['maxProperties', atMost('property', 'properties')],
  ['uniqueItems', ({ i, j }) => `must not have equal items (items ${i} and ${j})`],
  ['contains', matchingItems],
  ['pattern', ({ pattern }) => `must match pattern ${bounded(String(pattern), maxPatternLength)}`],
  ['format', ({ format }) => `must be a valid ${format}`],
  ['int32', () => int32],
  ['oneOf', exactlyOne],
  ['anyOf', () => 'must match at least one of the allowed schemas'],
  ['not', () => 'must not match the forbidden schema']
])

/** Returns the predicate to the place of an error: `must be integer`. */
export function messageOf({ keyword, params }: Finding): string {
  const { type } = params
  if (type !== undefined) return `must be ${alternatives([type].flat().map(String))}`
  return messages.get(keyword)?.(params) ?? `is not valid (${keyword})`
}

/** Keywords of a contract by those of the compiler; `false` is the schema `{ not: {} }` (JSON Schema Core, section 4.3.2). */
const declared = new Map([
  ['int32', 'format'],
  ['int64', 'format'],
  ['minBytes', 'minLength'],
  ['maxBytes', 'maxLength'],
  ['false schema', 'not']
])

/** Returns the keyword of the contract that an error reports. */
export function keywordOf({ keyword, params: { type } }: Finding): string {
  return type === undefined ? (declared.get(keyword) ?? keyword) : 'type'
}

/** Lists the allowed values. `allowed` holds JSON texts (runtime/validators.ts). */
function oneOfValues({ allowed }: Params): string {
  const values = (allowed as readonly string[]).map((text) => bounded(text, maxValueLength))
  const rest = values.length - maxValues
  const listed = rest > 0 ? [...values.slice(0, maxValues), `${rest} more`].join(', ') : values.join(', ')
  if (values.length === 0) return 'must be one of its enum, which is empty'
  return values.length === 1 ? `must be ${listed}` : `must be one of ${listed}`
}

function exactlyOne({ passingSchemas }: Params): string {
  if (passingSchemas) return 'matches more than one of the allowed schemas'
  return 'must match exactly one of the allowed schemas'
}

function matchingItems({ minContains, maxContains }: Params): string {
  const bounds = [
    ...(minContains === 0 ? [] : [`at least ${minContains}`]),
    ...(maxContains === undefined ? [] : [`at most ${maxContains}`])
  ]
  const isSingular = (maxContains ?? minContains) === 1
  return `must contain ${bounds.join(' and ')} matching ${isSingular ? 'item' : 'items'}`
}

/** Returns `a, b or c`. */
function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function counted(limit: unknown, unit: string, units: string): string {
  return `${limit} ${limit === 1 ? unit : units}`
}

function bounded(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…`.toWellFormed() : text
}
