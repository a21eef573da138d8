/**
 * Checks examples of schemas, parameters and bodies: each must be valid, and have no member that its schema does not
 * declare. What is served does not depend on them.
 */
import { Reading, type Role, satisfies } from '../../evaluate/evaluate.ts'
import { itemSchemas, propertySchemas } from '../../evaluate/members.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringify
} from '../document/json-value.ts'
import { atPointer, pointerOf, resolved } from '../document/reference.ts'
import { type ContractNode, contractNodes } from '../document/walk.ts'
import type { LoadedContract } from '../load/load.ts'

/** Returns a problem for each line of an example that is wrong. */
export function checkExamples({ document, locator }: LoadedContract): ContractProblem[] {
  return [...contractNodes(document)].flatMap((each) => {
    if (isSchema(each) && isObject(own(each.node, 'examples')) && each.pointer !== '#/components')
      return [
        { ...locator.problem('warning', noList, each.node, 'examples', false), isExample: true as const }
      ]
    return examplesOf(each, document).flatMap(({ schema, value, holder, key }) => {
      const role = each.pointer.includes('/responses/') ? 'response' : 'request'
      const check = new ExampleCheck(
        new Reading(document, role, true),
        schema === each.node ? undefined : role
      )
      check.visit([schema], value, { holder, key, path: [] })
      const problems = check.found.map(({ holder, key, text, isName }) => ({
        ...locator.problem('warning', text, holder, key, isName),
        isExample: true as const
      }))
      // Members that are not declared have places of their own.
      const lines = Map.groupBy(problems, ({ line }, index) => (check.found[index]?.isName ? -index : line))
      return [...lines.values()].flatMap(joined)
    })
  })
}

const noList = 'the examples of a schema are a list, and these are an object: they are not read'

/** Returns true for what may be a schema: no media type, no parameter, no header. */
const isSchema = ({ node, names, kind }: ContractNode): boolean =>
  names === undefined &&
  !['content', 'mediaTypes', 'headers'].includes(String(kind)) &&
  own(node, 'in') === undefined

/** Joins the problems of a line. */
function joined(problems: readonly ContractProblem[]): ContractProblem[] {
  const [first] = problems
  return first === undefined
    ? []
    : [{ ...first, message: `the example ${problems.map(({ message }) => message).join('; it ')}` }]
}

interface Example {
  readonly schema: Json
  readonly value: Json
  /** Object or list that has the value, and its key there. */
  readonly holder: Json
  readonly key: string
}

function examplesOf(each: ContractNode, document: JsonObject): Example[] {
  const { node, names, kind } = each
  if (names !== undefined || kind === 'headers') return []
  const schema = isSchema(each) ? node : own(node, 'schema')
  const [single, several] = [own(node, 'example'), own(node, 'examples')]
  if (schema === undefined || (single === undefined && several === undefined)) return []
  const listed = isSchema(each) ? several : undefined
  const named = isSchema(each) ? {} : objectOf(several)
  return [
    ...(single === undefined ? [] : [{ schema, value: single, holder: node, key: 'example' }]),
    ...arrayOf(listed).map((value, index) => ({
      ...{ schema, value, holder: arrayOf(listed), key: String(index) }
    })),
    ...Object.values(named).flatMap((reference) => {
      const holder = resolved(document, reference)
      const key = own(holder, 'dataValue') === undefined ? 'value' : 'dataValue'
      const value = own(holder, key)
      return value === undefined ? [] : [{ schema, value, holder, key }]
    })
  ]
}

/** Place of a value, and its path in the example. */
interface At extends Pick<Example, 'holder' | 'key'> {
  readonly path: readonly string[]
}

interface Found extends Pick<Example, 'holder' | 'key'> {
  /** Predicate of the sentence about the example. */
  readonly text: string
  readonly isName: boolean
}

class ExampleCheck {
  readonly found: Found[] = []
  readonly #reading: Reading
  readonly #role: Role | undefined
  /** Values that were visited, by schema. */
  readonly #visited = new Map<Json, Set<Json>>()

  /** @param role of the message of which it is an example; undefined for any message */
  constructor(reading: Reading, role: Role | undefined) {
    this.#reading = reading
    this.#role = role
  }

  visit(schemas: readonly Json[], value: Json, at: At): void {
    const parts = this.#partsOf(schemas, value)
    const before = this.found.length
    const isValid = this.#fits(schemas, value)
    if (!isValid) for (const part of parts) this.#checkKeywords(part, value, at)
    // An alternative that does not accept the value may declare its members.
    if (isObject(value) && (isValid || !parts.some(hasAlternatives))) this.#checkNames(parts, value, at)
    for (const [key, member] of typeof value === 'object' && value !== null ? Object.entries(value) : []) {
      const inner = Array.isArray(value) ? itemSchemas(parts, Number(key)) : propertySchemas(parts, key)
      const unvisited = inner.filter((schema) => schema !== false && this.#isNew(schema, member))
      if (unvisited.length > 0) this.visit(unvisited, member, { holder: value, key, path: [...at.path, key] })
    }
    if (!isValid && this.found.length === before) this.#report('fits none of the schemas', at)
  }

  #fits(schemas: readonly Json[], value: Json): boolean {
    return satisfies(value, schemas, this.#reading) !== false
  }

  #isNew(schema: Json, value: Json): boolean {
    const values = this.#visited.get(schema) ?? new Set()
    if (values.has(value)) return false
    this.#visited.set(schema, values.add(value))
    return true
  }

  /** Returns the schemas that apply to a value together; of alternatives those that it satisfies. */
  #partsOf(schemas: readonly Json[], value: Json): JsonObject[] {
    const parts = new Set<JsonObject>()
    const pending = [...schemas]
    for (const schema of pending) {
      if (!isObject(schema) || parts.has(schema)) continue
      parts.add(schema)
      const pointer = pointerOf(schema)
      if (pointer !== undefined) pending.push(atPointer(this.#reading.document, pointer) ?? true)
      pending.push(...arrayOf(own(schema, 'allOf')))
      for (const keyword of ['anyOf', 'oneOf']) {
        const branches = arrayOf(own(schema, keyword))
        const fitting = branches.filter((branch) => this.#fits([branch], value))
        pending.push(...(branches.length === 1 ? branches : fitting))
      }
      const condition = own(schema, 'if')
      if (condition !== undefined) {
        const isMet = this.#fits([condition], value)
        pending.push(...(isMet ? [condition] : []), own(schema, isMet ? 'then' : 'else') ?? true)
      }
      for (const [name, dependent] of Object.entries(objectOf(own(schema, 'dependentSchemas'))))
        if (isObject(value) && Object.hasOwn(value, name)) pending.push(dependent)
    }
    return [...parts]
  }

  #checkKeywords(part: JsonObject, value: Json, at: At): void {
    for (const [keyword, describe] of described) {
      const rule = own(part, keyword)
      if (rule !== undefined && !this.#fits([{ [keyword]: rule }], value))
        this.#report(`must ${describe(rule, keyword)}`, at)
    }
    const properties = objectOf(own(part, 'properties'))
    for (const name of isObject(value) ? arrayOf(own(part, 'required')).map(String) : []) {
      const property = own(properties, name) ?? true
      const alone = { required: [name], properties: { [name]: property } }
      if (!Object.hasOwn(objectOf(value), name) && !this.#fits([alone], value))
        this.#report(`must have \`${name}\``, at)
    }
  }

  /** Reports members that no schema declares; an open schema allows them, but they are probably misspelt. */
  #checkNames(parts: readonly JsonObject[], value: JsonObject, { path }: At): void {
    const isOpen = parts.some((part) =>
      ['additionalProperties', 'unevaluatedProperties', 'propertyNames'].some(
        (key) => ![undefined, false].includes(own(part, key) as never)
      )
    )
    const closed = parts.filter((part) => own(part, 'additionalProperties') === false)
    const isDeclaring = parts.some((part) => own(part, 'properties') !== undefined)
    const inside = path.length === 0 ? '' : ` in \`${path.join('.')}\``
    for (const name of Object.keys(value)) {
      const open = { holder: value, key: name, isName: true }
      const declared = propertySchemas(parts, name)
      if (this.#role !== undefined && this.#reading.isHidden(declared))
        this.found.push({
          ...open,
          isName: false,
          text: `has \`${name}\`${inside}, which no ${this.#role} has`
        })
      const isRefused = closed.some((part) => propertySchemas([part], name).every((each) => each === false))
      if (isRefused)
        this.found.push({ ...open, text: `has \`${name}\`${inside}, which its schema does not allow` })
      else if (isDeclaring && !isOpen && declared.length === 0)
        this.found.push({ ...open, text: `has \`${name}\`${inside}, which its schema does not declare` })
    }
  }

  #report(text: string, { holder, key, path }: At): void {
    const inside = path.length === 0 ? '' : ` at \`${path.join('.')}\``
    this.found.push({ holder, key, text: `${text}${inside}`, isName: false })
  }
}

const hasAlternatives = (schema: JsonObject): boolean =>
  ['anyOf', 'oneOf'].some((keyword) => arrayOf(own(schema, keyword)).length > 1)

/** Most values of an `enum` that a message lists. */
const maxAllowed = 10

function listOf(values: Json): string {
  const listed = arrayOf(values)
    .slice(0, maxAllowed)
    .map((value) => stringify(value))
  const more = arrayOf(values).length - listed.length
  return `be one of ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

const limit = (rule: Json, keyword: string): string => `fit \`${keyword}: ${stringify(rule)}\``

/** Keywords that judge a value without its members, and what they want. */
const described: ReadonlyMap<string, (rule: Json, keyword: string) => string> = new Map([
  ['type', (rule: Json) => `be of type ${arrayOf(Array.isArray(rule) ? rule : [rule]).join(' or ')}`],
  ['enum', listOf],
  ['const', (rule: Json) => `be ${stringify(rule)}`],
  ...[
    ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum'],
    ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
    ...['maxProperties', 'propertyNames', 'dependentRequired', 'contains', 'not']
  ].map((keyword) => [keyword, limit] as const)
])
