/** Components that all resources share: users, money, errors, pagination, security schemes. */
import { array, headerRef, json, object, parameterRef, type Schema, schemaRef } from './document.ts'

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
