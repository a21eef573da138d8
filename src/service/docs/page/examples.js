/** Gives bodies without an example one that fits their schema; those that Scalar makes up ignore lengths and patterns. */
globalThis.addExamples = (contract, resolve) => {
  const made = { readOnly: new Map(), writeOnly: new Map() }
  const operations = [contract.paths, contract.webhooks]
    .flatMap((items) => Object.values(items ?? {}))
    .flatMap((item) => Object.values(resolve(item) ?? {}))
  for (const operation of operations) {
    const { requestBody, responses } = Object(operation)
    try {
      addTo(requestBody, 'readOnly')
      for (const response of Object.values(responses ?? {})) addTo(response, 'writeOnly')
    } catch {
      // An unusual reference or expression must not leave the page empty.
    }
  }

  function addTo(message, hidden) {
    const contents = Object.entries(resolve(message)?.content ?? {})
    for (const [mediaType, content] of contents) {
      const isExample = 'example' in content || 'examples' in content
      if (isExample || !content.schema || !/[/+]json\b/i.test(mediaType)) continue
      const schema = resolve(content.schema)
      if (!made[hidden].has(schema))
        made[hidden].set(schema, exampleOf(schema, { resolve, hidden, open: [], count: { values: 0 } }))
      const example = made[hidden].get(schema)
      if (example !== undefined) content.example = example
    }
  }
}

/** Number of values after which an example has no more optional properties, and that after which it is given up. */
const enough = 100
const tooMany = 1_000
const maxDepth = 10

/** @param context `hidden` is the flag of properties to leave out, `open` the schemas that contain this one */
function exampleOf(given, context) {
  const { resolve, open, count } = context
  if (open.includes(resolve(given)) || open.length > maxDepth || count.values++ > tooMany) return undefined
  const within = { ...context, open: [...open, resolve(given)] }
  const schema = composed(given, within)
  const [declared] = [schema.example, schema.const, schema.examples?.[0], schema.default, schema.enum?.[0]]
    .filter((value) => value !== undefined)
    .slice(0, 1)
  if (declared !== undefined) return declared
  const { object, array, string, integer, number, boolean } = makers
  const make = { object, array, string, integer, number, boolean, null: () => null }[typeOf(schema)]
  return make?.(schema, within)
}

function typeOf({ type, properties, items }) {
  const types = [type ?? []].flat()
  return types.find((each) => each !== 'null') ?? types[0] ?? (properties ? 'object' : items && 'array')
}

/**
 * Merges a schema with what it refers to, all of `allOf`, and the first branch of a union.
 * @param within schemas that this one is a part of, which apply already
 */
function composed(given, context, within = []) {
  if (within.includes(given)) return {}
  const { $ref, allOf = [], oneOf = [], anyOf = [], ...own } = Object(given)
  const target = $ref === undefined ? [] : [context.resolve({ $ref })]
  const parts = [...target, ...allOf, ...branch(oneOf, own), ...branch(anyOf, own)]
  return parts.map((part) => composed(part, context, [...within, given])).reduce(merge, own)
}

/** Returns the first branch that is not null, with the value of the discriminator that selects it. */
function branch(branches, { discriminator }) {
  const found = branches.find((each) => each?.type !== 'null')
  if (found?.$ref === undefined || discriminator === undefined) return found === undefined ? [] : [found]
  const [name = found.$ref.split('/').at(-1)] =
    Object.entries(discriminator.mapping ?? {}).find(([, target]) => found.$ref.endsWith(target)) ?? []
  return [{ properties: { [discriminator.propertyName]: { const: name } } }, found]
}

function merge(all, part) {
  const properties = { ...all.properties }
  for (const [name, property] of Object.entries(part.properties ?? {}))
    properties[name] = name in properties ? { allOf: [properties[name], property] } : property
  const required = [...(all.required ?? []), ...(part.required ?? [])]
  return { ...all, ...part, properties: all.properties || part.properties ? properties : undefined, required }
}

const makers = {
  object({ properties = {}, required = [], additionalProperties, minProperties = 0 }, context) {
    const more =
      typeof additionalProperties === 'object' ? exampleOf(additionalProperties, context) : 'string'
    const undeclared = required.filter((name) => !Object.hasOwn(properties, name))
    const members = Object.entries(properties).flatMap(([name, property]) => {
      if (context.count.values > enough && !required.includes(name)) return []
      if (composed(property, context)[context.hidden] === true) return []
      const value = exampleOf(property, context)
      return value === undefined && !required.includes(name) ? [] : [[name, value ?? null]]
    })
    members.push(...undeclared.map((name) => [name, more]))
    for (let index = 1; members.length < minProperties; index++) members.push([`property${index}`, more])
    return Object.fromEntries(members)
  },
  array({ items = {}, prefixItems = [], minItems = 1, maxItems, uniqueItems, contains }, context) {
    const first = [...prefixItems, ...(contains === undefined ? [] : [contains])].map((each) =>
      exampleOf(each, context)
    )
    const count = Math.min(Math.max(minItems, 1), maxItems ?? Number.POSITIVE_INFINITY)
    const item = items === false ? undefined : exampleOf(items, context)
    while (first.length < count && item !== undefined)
      first.push(uniqueItems ? distinct(item, first.length, composed(items, context)) : item)
    return first
  },
  string: (schema) => texts(schema).find((text) => isFit(text, schema)) ?? 'string',
  integer: (schema) => numberOf(schema, schema.multipleOf ?? 1),
  number: (schema) => numberOf(schema, schema.multipleOf),
  boolean: () => true
}

/** Returns another value than the earlier items of a list of distinct ones. */
function distinct(item, index, schema) {
  if (index === 0) return item
  if (schema.enum) return schema.enum[index % schema.enum.length]
  if (typeof item === 'number') return item + index * (schema.multipleOf ?? 1)
  if (typeof item !== 'string') return item
  return [`${item}${index}`, `${item.slice(0, -1)}${index}`].find((text) => isFit(text, schema)) ?? item
}

function numberOf({ minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum }, step) {
  const above = exclusiveBound(exclusiveMinimum, minimum)
  const below = exclusiveBound(exclusiveMaximum, maximum)
  const low = Math.max(minimum, above ?? minimum)
  const high = Math.min(maximum, below ?? maximum)
  const isFit = (value) => value >= low && value <= high && value !== above && value !== below
  const between = Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : low + 1
  const whole = (value) => (step === undefined ? value : Math.ceil(value / step) * step)
  return [1, low, low + (step ?? 1), between, high, high - (step ?? 1)]
    .filter(Number.isFinite)
    .map(whole)
    .find(isFit)
}

/** Reads a bound as written in OpenAPI 3.0 as well, where `true` makes the other bound exclusive. */
const exclusiveBound = (exclusive, bound) =>
  typeof exclusive === 'number' ? exclusive : exclusive ? bound : undefined

const formats = {
  'date-time': ['2026-01-31T12:00:00Z'],
  date: ['2026-01-31'],
  time: ['12:00:00Z'],
  duration: ['P1D'],
  email: ['someone@example.com', 'me@a.io'],
  'idn-email': ['someone@example.com', 'me@a.io'],
  hostname: ['example.com', 'a.io'],
  'idn-hostname': ['example.com', 'a.io'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  uri: ['https://example.com/', 'https://a.io'],
  'uri-reference': ['https://example.com/', 'a'],
  iri: ['https://example.com/', 'https://a.io'],
  'iri-reference': ['https://example.com/', 'a'],
  'uri-template': ['https://example.com/{id}'],
  uuid: ['123e4567-e89b-42d3-a456-426614174000'],
  'json-pointer': ['/name'],
  'relative-json-pointer': ['0'],
  regex: ['^a+$'],
  byte: ['dGV4dA==']
}

/** Most repetitions in a text that a pattern describes. */
const maxRepeated = 64

function* texts({ format, minLength = 0, maxLength, pattern }) {
  if (Object.hasOwn(formats, format)) yield* formats[format]
  else
    yield* [
      'string',
      'string'.slice(0, maxLength),
      'string'.repeat(Math.ceil(minLength / 6)).slice(0, minLength)
    ]
  if (pattern !== undefined) for (let more = 0; more < maxRepeated; more++) yield textOf(pattern, more)
}

function isFit(text, { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }) {
  const { length } = [...text]
  return (
    length >= minLength && length <= maxLength && (pattern === undefined || expression(pattern)?.test(text))
  )
}

function expression(pattern) {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

/**
 * Returns a text for a regular expression: the first alternative of each group, and the fewest repetitions.
 * The text of an expression with an assertion or a reference need not match.
 * @param more further repetitions, where the expression allows them
 */
function textOf(pattern, more) {
  let rest = pattern
  const take = (token) => {
    const [text, ...parts] = token.exec(rest) ?? []
    if (text !== undefined) rest = rest.slice(text.length)
    return text === undefined ? undefined : [text, ...parts]
  }
  const alternatives = () => {
    const first = sequence()
    while (take(/^\|/)) sequence()
    return first
  }
  const sequence = () => {
    let text = ''
    while (rest !== '' && !/^[|)]/.test(rest)) {
      if (take(/^[$^]/)) continue
      const part = atom()
      const [, least = '1', most = least] = quantifier()
      const limit = most === '' ? Number.POSITIVE_INFINITY : Number(most)
      text += part.repeat(Math.min(Number(least) + more, limit, maxLength))
    }
    return text
  }
  const quantifier = () => {
    const [sign] = take(/^[*+?]\??/) ?? []
    if (sign !== undefined) return [sign, sign[0] === '+' ? '1' : '0', sign[0] === '?' ? '1' : '']
    const [text, least, comma, most] = take(/^\{(\d+)(,?)(\d*)\}\??/) ?? ['']
    return text === '' ? [text] : [text, least, comma === '' ? least : most]
  }
  const atom = () => {
    if (take(/^\((?:\?:|\?<\w+>)?(?!\?)/)) {
      const text = alternatives()
      take(/^\)/)
      return text
    }
    const [token = ''] = take(single) ?? []
    if (token === '') rest = ''
    const one = expression(`^(?:${token})$`)
    return characters.find((character) => one?.test(character)) ?? token
  }
  return alternatives()
}

/** One character, escape or class of a regular expression. */
const single = /^(?:\[\^?(?:\\.|[^\\\]])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|.)|[^()])/iu
/** Printable characters of ASCII, lower case letters, digits and upper case letters first. */
const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).sort(
  (one, other) => rank(one) - rank(other)
)
function rank(character) {
  const found = [/[a-z]/, /\d/, /[A-Z]/].findIndex((kind) => kind.test(character))
  return found < 0 ? 3 : found
}
/** Longest repetition. */
const maxLength = 1_000
