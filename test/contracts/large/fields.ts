/** Properties to choose from, of the kinds that large public contracts have. */
import { array, object, type Schema, schemaRef } from './document.ts'

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
