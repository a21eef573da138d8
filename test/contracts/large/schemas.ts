/** Resources of a large contract, every noun in every domain, with their schemas and the components that all share. */
import type { Choices } from './choices.ts'

export type Schema = { readonly [keyword: string]: unknown }
export type Operation = { readonly [field: string]: unknown }

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const parameterRef = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })
export const responseRef = (name: string): Schema => ({ $ref: `#/components/responses/${name}` })
export const headerRef = (name: string): Schema => ({ $ref: `#/components/headers/${name}` })

export const array = (items: Schema, rest: Schema = {}): Schema => ({ type: 'array', items, ...rest })

/** @param required names of the required properties */
export const object = (properties: Schema, required: readonly string[] = [], rest: Schema = {}): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
  ...rest
})

export const json = (schema: Schema, example?: string): Schema => ({
  'application/json': {
    schema,
    ...(example !== undefined && { examples: { typical: { $ref: `#/components/examples/${example}` } } })
  }
})

export interface Resource {
  /** Name of the domain: `nursery`. */
  readonly domain: string
  /** Name of the resource in its domain: `order`. */
  readonly noun: string
  /** Path template: `/nurseries/{nursery_id}/orders`. */
  readonly path: string
  /** Prefix of the schemas: `NurseryOrder`. */
  readonly name: string
  readonly index: number
}

const domains =
  'nursery market library fleet clinic museum kitchen harbour studio school forest archive'.split(' ')
const nouns = 'order member event ticket label report asset visit batch price schedule rule'.split(' ')

/** Least number of operations of a resource. */
const minOperations = 8

/** @returns as many resources as the operations need */
export function resources(operations: number): Resource[] {
  return Array.from({ length: Math.ceil(operations / minOperations) }, (_, index) => resource(index))
}

function resource(index: number): Resource {
  const round = Math.floor(index / (domains.length * nouns.length))
  const suffix = round === 0 ? '' : `-${round + 1}`
  const domain = `${domains[Math.floor(index / nouns.length) % domains.length]}${suffix}`
  const noun = nouns[index % nouns.length] ?? ''
  const parameter = `${domain.replaceAll('-', '_')}_id`
  return {
    domain,
    noun,
    path: `/${plural(domain)}/{${parameter}}/${plural(noun)}`,
    name: pascal(`${domain}-${noun}`),
    index
  }
}

const plural = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

const pascal = (text: string) =>
  text
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const id = { type: 'integer', format: 'int64', minimum: 1, example: 2 ** 53 }

export const sharedSchemas: Schema = {
  Identified: object(
    { id: { ...id, readOnly: true }, url: { type: 'string', format: 'uri', readOnly: true } },
    ['id']
  ),
  Timestamps: object(
    {
      created_at: { type: 'string', format: 'date-time', readOnly: true },
      updated_at: { type: 'string', format: 'date-time', nullable: true, readOnly: true }
    },
    ['created_at']
  ),
  User: object(
    {
      id,
      login: { type: 'string', minLength: 1, maxLength: 39, pattern: '^[a-z]' },
      email: { type: 'string', format: 'email', nullable: true },
      site_admin: { type: 'boolean', default: false },
      manager: { nullable: true, allOf: [schemaRef('User')] }
    },
    ['id', 'login', 'email']
  ),
  Money: object(
    {
      amount: { type: 'string', pattern: '^-?\\d+(\\.\\d{2})?$', example: '12.50' },
      currency: { type: 'string', enum: ['EUR', 'USD', 'JPY'] }
    },
    ['amount', 'currency'],
    { additionalProperties: false }
  ),
  Address: object(
    {
      street: { type: 'string' },
      city: { type: 'string' },
      country: { type: 'string', minLength: 2, maxLength: 2, example: 'DE' },
      position: object({ lat: { type: 'number' }, lng: { type: 'number' } }, ['lat', 'lng'])
    },
    ['city']
  ),
  Page: object(
    {
      next_cursor: { type: 'string', nullable: true },
      total: { type: 'integer', format: 'int64', minimum: 0 }
    },
    ['next_cursor']
  ),
  Error: object(
    {
      code: { type: 'string' },
      message: { type: 'string' },
      details: { type: 'object', additionalProperties: true }
    },
    ['code', 'message']
  ),
  ValidationError: {
    allOf: [schemaRef('Error'), object({ errors: array(schemaRef('FieldError')) })]
  },
  FieldError: object({ field: { type: 'string' }, problem: { type: 'string' } }, ['field'])
}

export const sharedParameters: Schema = {
  Cursor: { name: 'cursor', in: 'query', schema: { type: 'string', maxLength: 200 } },
  PerPage: {
    name: 'per_page',
    in: 'query',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 30 }
  },
  Fields: {
    name: 'fields',
    in: 'query',
    style: 'form',
    explode: false,
    schema: array({ type: 'string' }, { maxItems: 20, uniqueItems: true })
  },
  Labels: { name: 'label', in: 'query', explode: true, schema: array({ type: 'string', minLength: 1 }) },
  Filter: {
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    explode: true,
    schema: object({
      state: { type: 'string', enum: ['open', 'closed'] },
      min: { type: 'integer' },
      since: { type: 'string', format: 'date' }
    })
  },
  Range: {
    name: 'range',
    in: 'query',
    style: 'pipeDelimited',
    explode: false,
    schema: array({ type: 'integer' }, { minItems: 2, maxItems: 2 })
  },
  RequestId: { name: 'X-Request-Id', in: 'header', schema: { type: 'string', format: 'uuid' } },
  IfMatch: { name: 'If-Match', in: 'header', schema: { type: 'string', maxLength: 100 } }
}

export const sharedHeaders: Schema = {
  ETag: { schema: { type: 'string' } },
  RateLimit: { description: 'Requests left in this hour', schema: { type: 'integer', minimum: 0 } },
  Link: { description: 'RFC 8288', schema: { type: 'string' } }
}

const failure = (description: string, schema = 'Error'): Schema => ({
  description,
  content: json(schemaRef(schema))
})

export const sharedResponses: Schema = {
  BadRequest: failure('The request does not fit the contract'),
  Unauthorized: failure('No valid credential'),
  NotFound: { ...failure('No such resource'), headers: { 'X-RateLimit': headerRef('RateLimit') } },
  Conflict: failure('Another version is stored'),
  Unprocessable: failure('A field has an impossible value', 'ValidationError'),
  Unexpected: failure('Any other failure')
}

export const securitySchemes: Schema = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' }
}

export const listParameters = ['Cursor', 'PerPage', 'RequestId'].map(parameterRef)
export const optionalParameters = ['Fields', 'Labels', 'Filter', 'Range'].map(parameterRef)

export const fields: readonly (readonly [name: string, schema: Schema])[] = [
  ['sku', { type: 'string', pattern: '^[A-Z]{2}-\\d+$', example: 'AB-12' }],
  ['summary', { type: 'string', maxLength: 500, nullable: true }],
  ['quantity', { type: 'integer', format: 'int32', minimum: 0, maximum: 1_000_000 }],
  ['serial', { type: 'integer', format: 'int64', example: 2 ** 53 }],
  ['revision', { type: 'integer', format: 'int64', nullable: true }],
  ['weight', { type: 'number', format: 'double', minimum: 0, exclusiveMinimum: true, example: 1.5 }],
  ['discount', { type: 'number', format: 'float', multipleOf: 0.01, maximum: 1, example: 0.25 }],
  ['active', { type: 'boolean', default: true }],
  ['due_on', { type: 'string', format: 'date' }],
  ['starts_at', { type: 'string', format: 'date-time', nullable: true }],
  ['contact_email', { type: 'string', format: 'email' }],
  ['homepage', { type: 'string', format: 'uri', nullable: true }],
  ['token', { type: 'string', format: 'uuid' }],
  ['address_v4', { type: 'string', format: 'ipv4' }],
  ['checksum', { type: 'string', format: 'byte' }],
  ['password', { type: 'string', format: 'password', minLength: 8, writeOnly: true, example: 'long enough' }],
  ['views', { type: 'integer', minimum: 0, readOnly: true }],
  ['tags', array({ type: 'string', minLength: 1 }, { uniqueItems: true, maxItems: 50 })],
  ['matrix', array(array({ type: 'number' }), { minItems: 1 })],
  ['labels', { type: 'object', additionalProperties: { type: 'string' } }],
  [
    'counts',
    { type: 'object', additionalProperties: { type: 'integer', format: 'int64' }, maxProperties: 100 }
  ],
  ['price', schemaRef('Money')],
  ['prices', array(schemaRef('Money'))],
  ['address', schemaRef('Address')],
  ['owner', schemaRef('User')],
  ['reviewer', { nullable: true, allOf: [schemaRef('User')] }],
  ['watchers', array(schemaRef('User'), { maxItems: 100 })],
  ['reference', { anyOf: [{ type: 'string', minLength: 3 }, { type: 'integer' }] }],
  [
    'reach',
    {
      oneOf: [
        object({ phone: { type: 'string', pattern: '^\\+?\\d+$', example: '+4912345' } }, ['phone'], {
          additionalProperties: false
        }),
        object({ mail: { type: 'string', format: 'email' } }, ['mail'], { additionalProperties: false })
      ]
    }
  ],
  [
    'settings',
    object(
      {
        notify: { type: 'boolean' },
        limits: object({ daily: { type: 'integer', minimum: 0 }, monthly: { type: 'integer' } }, ['daily']),
        channels: array(object({ name: { type: 'string' }, muted: { type: 'boolean' } }, ['name']))
      },
      ['limits'],
      { additionalProperties: false }
    )
  ],
  ['metadata', { type: 'object', additionalProperties: true }],
  ['anything', { description: 'A value of any type' }]
]

/** @param neighbour another resource, which this one refers to */
export function resourceSchemas({ name }: Resource, neighbour: Resource, choices: Choices): Schema {
  const chosen = choices.some(fields, 6 + choices.below(12))
  const own = object(
    {
      name: { type: 'string', minLength: 1, maxLength: 100, example: 'First' },
      state: schemaRef(`${name}State`),
      ...Object.fromEntries(chosen),
      ...relation(neighbour, choices)
    },
    ['name', 'state', ...choices.some(chosen, 4).map(([field]) => field)]
  )
  const { required: _, ...optional } = own
  return {
    [name]: { allOf: [schemaRef('Identified'), schemaRef('Timestamps'), own] },
    [`${name}State`]: { type: 'string', enum: choices.some(states, 3 + choices.below(4)) },
    [`${name}Draft`]: own,
    [`${name}Patch`]: { ...optional, minProperties: 1 },
    [`${name}Page`]: { allOf: [schemaRef('Page'), object({ items: array(schemaRef(name)) }, ['items'])] },
    [`${name}Note`]: note(`${name}Note`),
    ...(choices.below(3) === 0 ? mappedEvents(name) : inheritedEvents(name))
  }
}

const states = ['draft', 'open', 'active', 'paused', 'closed', 'archived', 'deleted']

/** Returns a full resource for every fourth one, otherwise its draft or its id: the references form cycles. */
function relation({ name, noun }: Resource, choices: Choices): Schema {
  const kind = choices.below(4)
  if (kind === 0) return { [`related_${noun}`]: schemaRef(name) }
  if (kind === 1) return { [`planned_${noun}s`]: array(schemaRef(`${name}Draft`)) }
  return { [`${noun}_id`]: { type: 'integer', format: 'int64' } }
}

/** Returns a schema that contains itself. */
const note = (name: string): Schema =>
  object(
    { author: schemaRef('User'), text: { type: 'string', minLength: 1 }, replies: array(schemaRef(name)) },
    ['text']
  )

const kinds = ['Opened', 'Moved', 'Closed']
const eventFields: readonly Schema[] = [
  { urgent: { type: 'boolean' } },
  { from: { type: 'string' }, to: { type: 'string', minLength: 1 } },
  { reason: { type: 'string', nullable: true } }
]

/** Returns a union with a mapping of its discriminator. */
function mappedEvents(name: string): Schema {
  const mapping = kinds.map((kind) => [kind.toLowerCase(), `#/components/schemas/${name}${kind}`] as const)
  const event = {
    oneOf: kinds.map((kind) => schemaRef(`${name}${kind}`)),
    discriminator: { propertyName: 'kind', mapping: Object.fromEntries(mapping) }
  }
  const variant = (index: number) =>
    object({ kind: { type: 'string', enum: [mapping[index]?.[0]] }, ...eventFields[index] }, ['kind'])
  return {
    [`${name}Event`]: event,
    ...Object.fromEntries(
      kinds.map((kind, index) => [`${name}${kind}`, { allOf: [schemaRef('Timestamps'), variant(index)] }])
    )
  }
}

/** Returns a base with a discriminator; the schemas that inherit from it are its union, and their names the values. */
function inheritedEvents(name: string): Schema {
  const base = object({ kind: { type: 'string' }, by: schemaRef('User') }, ['kind'], {
    discriminator: { propertyName: 'kind' },
    example: { kind: `${name}Opened`, urgent: true }
  })
  return {
    [`${name}Event`]: base,
    ...Object.fromEntries(
      kinds.map((kind, index) => [
        `${name}${kind}`,
        { allOf: [schemaRef(`${name}Event`), object(eventFields[index] ?? {})] }
      ])
    )
  }
}
