/**
 * A large OpenAPI 3.0 contract, with the shapes that large public contracts have. The same options always give the same
 * document. Every example in it is valid.
 */
import { readFileSync } from 'node:fs'
import { CORE_SCHEMA, defineScalarTag, load, mergeTag } from 'js-yaml'
import { Choices } from './large/choices.ts'

export type Schema = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, Schema>>

export interface Options {
  readonly operations: number
  readonly seed?: string
}

/** Parts that name one resource. */
interface Parts {
  readonly parameters: Schemas
  readonly relations: readonly Schemas[]
  readonly schemas: Schemas
  readonly events: Readonly<Record<'mapped' | 'inherited', Schemas>>
  /** Methods and paths are members of these operations by their verbs. */
  readonly operations: Schemas
  readonly further: Schemas
}

interface Template {
  readonly shared: Readonly<Record<string, Schemas>>
  readonly optional: readonly Schema[]
  readonly failures: readonly Schema[]
  readonly states: readonly string[]
  readonly fields: readonly Schemas[]
  readonly resource: Parts
}

const tags = ['schema', 'parameter', 'header', 'response', 'example'].map((kind) =>
  defineScalarTag(`!${kind}`, {
    identify: () => false,
    resolve: (name) => ({ $ref: `#/components/${kind}s/${name}` })
  })
)
const { shared, optional, failures, states, fields, resource } = load(
  readFileSync(`${import.meta.dirname}/large/large.yaml`, 'utf8'),
  { schema: CORE_SCHEMA.withTags(mergeTag, ...tags) }
) as Template

const domains =
  'nursery market library fleet clinic museum kitchen harbour studio school forest archive'.split(' ')
const nouns = 'order member event ticket label report asset visit batch price schedule rule'.split(' ')
/** Least number of operations of a resource. */
const minOperations = 8

/** Returns the names of a resource, every noun in every domain. */
function namesOf(index: number) {
  const round = Math.floor(index / (domains.length * nouns.length))
  const suffix = round === 0 ? '' : `-${round + 1}`
  const domain = `${domains[Math.floor(index / nouns.length) % domains.length]}${suffix}`
  const noun = nouns[index % nouns.length] ?? ''
  const words = `${domain}-${noun}`.split('-')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const owner = domain.replaceAll('-', '_')
  const path = `/${plural(domain)}/{${owner}_id}/${plural(noun)}`
  return { name, noun, domain, owner, path }
}

type Names = ReturnType<typeof namesOf>

const plural = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** @returns a document with exactly that many operations */
export function largeContract({ operations, seed = 'large' }: Options) {
  const all = Array.from({ length: Math.ceil(operations / minOperations) }, (_, index) => namesOf(index))
  const parts = all.map((names, index) => partsOf(names, all[index + 1] ?? all[0] ?? names))
  const schemas: Schemas = Object.assign(
    { ...shared['schemas'] },
    ...all.map(({ name }, index) =>
      schemasOf(name, parts[index] ?? resource, new Choices(`${seed}/${name}/schemas`))
    )
  )
  const placed = all.flatMap((names, index) =>
    operationsOf(names, parts[index] ?? resource, new Choices(`${seed}/${names.name}/operations`))
  )
  const examples = all.flatMap(({ name }) => [
    [name, { value: exampleOf({ $ref: name }, 'writeOnly', schemas) }],
    [`${name}Draft`, { value: exampleOf({ $ref: `${name}Draft` }, 'readOnly', schemas) }]
  ])
  return {
    openapi: '3.0.3',
    info: { title: 'Large', version: '1.0.0' },
    security: [{ bearer: [] }, { key: [] }],
    paths: pathsOf(placed.slice(0, operations)),
    components: {
      ...shared,
      schemas,
      parameters: Object.assign({ ...shared['parameters'] }, ...parts.map(({ parameters }) => parameters)),
      examples: Object.fromEntries(examples)
    }
  }
}

const template = JSON.stringify(resource)

/** @param next another resource, which this one refers to */
function partsOf({ name, noun, owner, path }: Names, next: Names): Parts {
  const values: Readonly<Record<string, string>> = {
    ...{ NAME: name, NOUN: noun, DOMAIN: owner, PATH: path, ITEM: `${path}/{${noun}_id}` },
    ...{ NEXT_NAME: next.name, NEXT_NOUN: next.noun }
  }
  return JSON.parse(
    template.replaceAll(/(?:NEXT_)?(?:NAME|NOUN)|DOMAIN|PATH|ITEM/g, (each) => values[each] ?? '')
  )
}

function schemasOf(name: string, { schemas, relations, events }: Parts, choices: Choices): Schemas {
  const chosen = choices.some(fields, 6 + choices.below(12))
  const relation = relations[choices.below(relations.length)]
  const required = choices.some(chosen, 4).flatMap((field) => Object.keys(field))
  const properties = {
    name: { type: 'string', minLength: 1, maxLength: 100, example: 'First' },
    state: { $ref: `#/components/schemas/${name}State` },
    ...Object.assign({}, ...chosen, relation)
  }
  const own = { type: 'object', required: ['name', 'state', ...required], properties }
  const inherited = ['Identified', 'Timestamps'].map((base) => ({ $ref: `#/components/schemas/${base}` }))
  return {
    ...schemas,
    [name]: { allOf: [...inherited, own] },
    [`${name}State`]: { type: 'string', enum: choices.some(states, 3 + choices.below(4)) },
    [`${name}Draft`]: own,
    [`${name}Patch`]: { type: 'object', properties, minProperties: 1 },
    ...(choices.below(3) === 0 ? events.mapped : events.inherited)
  }
}

interface Placed {
  readonly path: string
  readonly method: string
  readonly operation: Schema
}

/** Returns the operations of a resource, each with an operationId, a tag, security and responses of failures. */
function operationsOf(names: Names, { operations, further }: Parts, choices: Choices): Placed[] {
  const place = ([verb, { responses, ...given }]: readonly [string, Schema]): Placed => {
    const [method = '', path] = Object.entries(given).find(([, value]) => typeof value === 'string') ?? []
    const { [method]: _, ...members } = given
    const operation = {
      operationId: `${plural(names.domain)}/${verb}-${names.noun}`,
      tags: [names.domain],
      summary: `${verb} ${names.noun}`,
      ...securityOf(choices),
      ...members,
      responses: Object.assign({}, responses, ...choices.some(failures, 3), {
        default: { $ref: '#/components/responses/Unexpected' }
      })
    }
    return { path: String(path), method, operation }
  }
  const more = choices.some(optional, 2)
  const always = Object.entries(operations).map(([verb, operation]) =>
    place([verb, verb === 'list' ? withParameters(operation, more) : operation])
  )
  return [...always, ...choices.some(Object.entries(further), 2 + choices.below(4)).map(place)]
}

const withParameters = ({ parameters, ...others }: Schema, more: readonly Schema[]): Schema => ({
  ...others,
  parameters: [...(parameters as readonly Schema[]), ...more]
})

/** Returns the security of an operation: mostly that of the document, sometimes alternatives or none. */
function securityOf(choices: Choices): Schema {
  const kind = choices.below(6)
  if (kind === 0) return { security: [{ bearer: [] }, { key: [], session: [] }, { basic: [] }] }
  return kind === 1 ? { security: [] } : {}
}

/** Returns the path items, each with the path parameters that it shares by reference. */
function pathsOf(placed: readonly Placed[]): Record<string, Schema> {
  const items: Record<string, Record<string, unknown>> = {}
  for (const { path, method, operation } of placed) {
    const names = [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => name)
    items[path] ??= { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) }
    items[path][method] = operation
  }
  return items
}

/** Depth below which optional properties are left out, so that recursive schemas end. */
const maxDepth = 3

const exampleTexts: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T20:57:08Z',
  email: 'ada@example.org',
  uri: 'https://example.org/a?b=c',
  uuid: '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e',
  ipv4: '192.0.2.1',
  byte: 'aGVsbG8='
}

/** Returns a valid value. @param hidden flag of the properties that it does not have */
export function exampleOf(
  schema: Schema,
  hidden: 'readOnly' | 'writeOnly',
  schemas: Schemas,
  depth = 0
): unknown {
  const of = (inner: unknown, deeper = 0) => exampleOf(inner as Schema, hidden, schemas, depth + deeper)
  const { $ref, allOf, oneOf, anyOf, items, properties = {}, required = [] } = schema as Record<string, never>
  if (schema['example'] !== undefined) return schema['example']
  if ($ref !== undefined) return of(schemas[String($ref).split('/').at(-1) ?? ''])
  const [branch] = (oneOf ?? anyOf ?? []) as readonly Schema[]
  if (branch !== undefined) return of(branch)
  if (allOf !== undefined) return Object.assign({}, ...(allOf as Schema[]).map((part) => of(part)))
  if (schema['enum'] !== undefined) return (schema['enum'] as unknown[])[0]
  if (schema['type'] === 'array') return depth > maxDepth && !schema['minItems'] ? [] : [of(items, 1)]
  if (schema['type'] === 'string') return exampleTexts[String(schema['format'])] ?? 'text'
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  if (schema['type'] !== 'object') return true
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') return { key: of(additionalProperties, 1) }
  const shown = Object.entries(properties as Schemas).filter(
    ([name, property]) =>
      property[hidden] !== true && (depth < maxDepth || (required as string[]).includes(name))
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, of(property, 1)]))
}
