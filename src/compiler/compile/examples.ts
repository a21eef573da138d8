/**
 * Checks examples of schemas, parameters and bodies: each must be valid, and have no member that its schema does not
 * declare. What is served does not depend on them.
 */
import {
  type Content,
  type Contract,
  type ContractProblem,
  contractProblem,
  type Example,
  isObject,
  type Json,
  type JsonObject,
  make,
  type Origin,
  objectOf,
  type Parameter,
  type Schema
} from '@contract-first/contract'
import { stringify } from '@contract-first/engine/json'
import { Fit } from '../../tools/samples/fit.ts'
import { itemSchemas, propertySchemas } from '../../tools/samples/members.ts'
import { type Direction, Schemas } from '../../tools/samples/schemas.ts'

/** Returns a problem for each line of an example that is wrong. */
export function checkExamples(contract: Contract): ContractProblem[] {
  return examplesIn(contract).flatMap(({ schema, examples, direction, isOfMessage }) =>
    examples.flatMap(({ value, origin }) => {
      if (value === undefined) return []
      const check = new ExampleCheck(direction, isOfMessage)
      check.visit([schema], value, { origin, path: [] })
      // Members that are not declared have places of their own.
      const lines = Map.groupBy(check.found, ({ origin: { line }, isName }, index) =>
        isName ? -index : line
      )
      return [...lines.values()].flatMap(joined)
    })
  )
}

/** Examples of a schema, a parameter or a body, and the schema that they must fit. */
interface Examples {
  readonly schema: Schema
  readonly examples: readonly Example[]
  readonly direction: Direction
  /** False for examples of a schema, which any message may have. */
  readonly isOfMessage: boolean
}

function examplesIn({ schemas, components, operations, sent }: Contract): Examples[] {
  const all = [...operations, ...sent]
  const parameters = [...all.flatMap((each) => each.parameters), ...components.parameters.values()]
  const bodies = [...all.flatMap(({ body = [] }) => body), ...components.bodies.values()]
  const responses = [...all.flatMap((each) => [...each.responses.values()]), ...components.responses.values()]
  const contents = [...parameters.flatMap(({ content = [] }) => content), ...bodies.flatMap(contentsOf)]
  return [
    ...schemas
      .filter(({ examples }) => examples.length > 0)
      .map(
        (schema): Examples => ({
          schema,
          examples: schema.examples,
          direction: schema.origin.pointer.includes('/responses/') ? 'response' : 'request',
          isOfMessage: false
        })
      ),
    ...ofMessages('request', [...parameters, ...contents]),
    ...ofMessages('response', responses.flatMap(contentsOf))
  ]
}

const contentsOf = ({ contents }: { readonly contents: readonly Content[] }) => contents

const ofMessages = (direction: Direction, holders: readonly (Parameter | Content)[]): Examples[] =>
  [...new Set(holders)].flatMap(({ schema, examples }) =>
    schema === undefined ? [] : [{ schema, examples, direction, isOfMessage: true }]
  )

/** Joins the problems of a line. */
function joined(found: readonly Found[]): ContractProblem[] {
  const message = `the example ${found.map(({ text }) => text).join('; it ')}`
  return found
    .slice(0, 1)
    .map(({ origin }) => contractProblem({ severity: 'warning', rule: 'example', message, origin }))
}

/** Place of a value, and its path in the example. */
interface At {
  readonly origin: Origin
  readonly path: readonly string[]
}

interface Found {
  readonly origin: Origin
  /** Predicate of the sentence about the example. */
  readonly text: string
  readonly isName: boolean
}

class ExampleCheck {
  readonly found: Found[] = []
  readonly #direction: Direction
  readonly #schemas: Schemas
  readonly #fit: Fit
  readonly #isOfMessage: boolean
  /** Values that were visited, by schema. */
  readonly #visited = new Map<Schema, Set<Json>>()

  /** @param isOfMessage false for an example of a schema, which any message may have */
  constructor(direction: Direction, isOfMessage: boolean) {
    this.#direction = direction
    this.#schemas = new Schemas(direction)
    this.#fit = new Fit(this.#schemas.writer)
    this.#isOfMessage = isOfMessage
  }

  visit(schemas: readonly Schema[], value: Json, at: At): void {
    const parts = this.#partsOf(schemas, value)
    const before = this.found.length
    const isValid = this.#fit.ofAll(schemas, value)
    if (!isValid) for (const part of parts) this.#checkKeywords(part, value, at)
    // An alternative that does not accept the value may declare its members.
    if (isObject(value) && (isValid || !parts.some(hasAlternatives))) this.#checkNames(parts, value, at)
    for (const [key, member] of typeof value === 'object' && value !== null ? Object.entries(value) : []) {
      const inner = Array.isArray(value) ? itemSchemas(parts, Number(key)) : propertySchemas(parts, key)
      const unvisited = inner.filter((schema) => !schema.never && this.#isNew(schema, member))
      if (unvisited.length > 0)
        this.visit(unvisited, member, { origin: at.origin.at(key), path: [...at.path, key] })
    }
    if (!isValid && this.found.length === before) this.#report('fits none of the schemas', at)
  }

  #isNew(schema: Schema, value: Json): boolean {
    const values = this.#visited.get(schema) ?? new Set()
    if (values.has(value)) return false
    this.#visited.set(schema, values.add(value))
    return true
  }

  /** Returns the schemas that apply to a value together; of alternatives those that it satisfies. */
  #partsOf(schemas: readonly Schema[], value: Json): Schema[] {
    const fitting = (schema: Schema) => this.#fit.of(schema, value)
    const parts = new Set(schemas)
    for (const part of parts) {
      const { ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = [] } = part
      const chosen = [anyOf, oneOf].flatMap((union) => (union.length === 1 ? union : union.filter(fitting)))
      const isMet = part.if !== undefined && fitting(part.if)
      const conditional = part.if === undefined ? [] : isMet ? [part.if, part.then] : [part.else]
      for (const each of [ref, ...allOf, ...chosen, ...conditional]) if (each !== undefined) parts.add(each)
      for (const [name, dependent] of dependentSchemas)
        if (isObject(value) && Object.hasOwn(value, name)) parts.add(dependent)
    }
    return [...parts]
  }

  #checkKeywords(part: Schema, value: Json, at: At): void {
    for (const [member, describe] of described) {
      const rule = part[member]
      if (rule !== undefined && !this.#fit.of(make({ [member]: rule }, part), value))
        this.#report(`must ${describe(part)}`, at)
    }
    for (const name of isObject(value) ? (part.required ?? []) : []) {
      const property = part.properties?.get(name)
      const isHidden = property !== undefined && this.#schemas.isHidden([property])
      if (!isHidden && !Object.hasOwn(objectOf(value), name)) this.#report(`must have \`${name}\``, at)
    }
  }

  /** Reports members that no schema declares; an open schema allows them, but they are probably misspelt. */
  #checkNames(parts: readonly Schema[], value: JsonObject, { origin, path }: At): void {
    const isOpen = parts.some(({ additional, unevaluatedProperties, names }) =>
      [additional, unevaluatedProperties, names].some((each) => each !== undefined && !each.never)
    )
    const closed = parts.filter(({ additional }) => additional?.never)
    const isDeclaring = parts.some(({ properties }) => properties !== undefined)
    const inside = path.length === 0 ? '' : ` in \`${path.join('.')}\``
    for (const name of Object.keys(value)) {
      const open = { origin: origin.at(name), isName: true }
      const declared = propertySchemas(parts, name)
      if (this.#isOfMessage && this.#schemas.isHidden(declared))
        this.found.push({
          origin: open.origin.value,
          isName: false,
          text: `has \`${name}\`${inside}, which no ${this.#direction} has`
        })
      const isRefused = closed.some((part) => propertySchemas([part], name).every(({ never }) => never))
      if (isRefused)
        this.found.push({ ...open, text: `has \`${name}\`${inside}, which its schema does not allow` })
      else if (isDeclaring && !isOpen && declared.length === 0)
        this.found.push({ ...open, text: `has \`${name}\`${inside}, which its schema does not declare` })
    }
  }

  #report(text: string, { origin, path }: At): void {
    const inside = path.length === 0 ? '' : ` at \`${path.join('.')}\``
    this.found.push({ origin: origin.value, text: `${text}${inside}`, isName: false })
  }
}

const hasAlternatives = ({ anyOf = [], oneOf = [] }: Schema): boolean => anyOf.length > 1 || oneOf.length > 1

/** Most values of an `enum` that a message lists. */
const maxAllowed = 10

function listOf(values: readonly Json[]): string {
  const listed = values.slice(0, maxAllowed).map((value) => stringify(value))
  const more = values.length - listed.length
  return `be one of ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/** Keywords that judge a value without its members, and what they want. */
const described: readonly (readonly [member: keyof Schema, describe: (part: Schema) => string])[] = [
  ['types', ({ types = [] }) => `be of type ${[...types].join(' or ')}`],
  ['enum', (part) => listOf((part.enum ?? []) as readonly Json[])],
  ['const', (part) => `be ${stringify(part.const)}`],
  ['pattern', ({ pattern }) => `fit \`pattern: ${JSON.stringify(pattern?.source)}\``],
  ...(
    [
      ...['minLength', 'maxLength', 'format', 'minimum', 'maximum', 'exclusiveMinimum'],
      ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
      'maxProperties'
    ] as (keyof Schema)[]
  ).map((member) => [member, (part: Schema) => `fit \`${member}: ${stringify(part[member])}\``] as const),
  ['names', () => 'fit `propertyNames`'],
  ['dependentRequired', () => 'fit `dependentRequired`'],
  ['contains', () => 'fit `contains`'],
  ['not', () => 'fit `not`']
]
