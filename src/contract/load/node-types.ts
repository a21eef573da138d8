/**
 * Objects of OpenAPI 3.0.4, 3.1.1 and 3.2.0 (section 4.7 of each) and of JSON Schema 2020-12: their members, what each
 * member holds, and what must be there. A later version is written as what it adds.
 */
import { stringify } from '@contract-first/engine/json'
import type { Json } from '../model/json.ts'

/**
 * Content of a member: a list of the values that it may have, the name of an object below, or a word for data. `string`,
 * `boolean`, `number` and `array` are JSON types; `count` is an integer and `size` a number of at least 0; `types` is a JSON
 * type or a list of these; `mapped` is a text that may be a reference to a schema; `any` is any data, and `example` any data
 * or a reference to it. `[]` behind a name or word is a list of them, `{}` an object whose members the author names.
 */
export type Content = string | readonly string[]

export interface NodeType {
  readonly members: Readonly<Record<string, Content>>
  /** Content of members that the author names, and the names that they may have. */
  readonly named?: { readonly content: Content; readonly pattern: RegExp }
  /** Members without which the object cannot be served. */
  readonly needed?: readonly string[]
  /** Members that OpenAPI requires, and that only describe. */
  readonly required?: readonly string[]
  /** Members of which one is needed. */
  readonly oneOf?: readonly string[]
  /** Members that the objects of each `type` have beside those of every type. */
  readonly byType?: Readonly<
    Record<string, Pick<NodeType, 'needed' | 'required'> & { also?: readonly string[] }>
  >
}

type NodeTypes = Readonly<Record<string, NodeType>>

const all = (content: Content, names: string): Record<string, Content> =>
  Object.fromEntries(names.split(' ').map((name) => [name, content]))

const texts = all('string', 'summary description')
const styles = ['form', 'simple', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'deepObject']
const schemes = ['apiKey', 'http', 'oauth2', 'openIdConnect']

/** Members of parameters and headers. */
const parameter: Record<string, Content> = {
  ...all('boolean', 'required deprecated allowEmptyValue explode allowReserved'),
  ...{ description: 'string', style: styles, schema: 'Schema', content: 'MediaType{}' },
  ...{ example: 'example', examples: 'Example{}' }
}

const flow = { refreshUrl: 'string', scopes: 'Scopes' }

/** Keywords of schemas in every version. What tools write for another version is a warning (repairs.ts). */
const keywords: Record<string, Content> = {
  ...all('string', 'title description format pattern'),
  ...all('number', 'maximum minimum'),
  ...all('count', 'maxLength minLength maxItems minItems maxProperties minProperties'),
  ...all('boolean', 'uniqueItems readOnly writeOnly deprecated'),
  ...all('Schema[]', 'allOf anyOf oneOf'),
  ...all('Schema', 'not items additionalProperties'),
  ...{ multipleOf: 'size', required: 'string[]', enum: 'array', type: 'types', properties: 'Schema{}' },
  ...{ externalDocs: 'ExternalDocs', discriminator: 'Discriminator', xml: 'Xml' },
  ...{ default: 'any', example: 'example', exclusiveMaximum: 'any', exclusiveMinimum: 'any' }
}

const operations = all('Operation', 'get put post delete options head patch trace')

const types30: NodeTypes = {
  Root: {
    members: {
      ...{ openapi: 'any', info: 'Info', servers: 'Server[]', security: 'SecurityRequirement[]' },
      ...{ tags: 'Tag[]', externalDocs: 'ExternalDocs', paths: 'Paths', components: 'Components' }
    },
    required: ['openapi', 'info', 'paths']
  },
  Info: {
    members: {
      ...all('string', 'title version description termsOfService'),
      ...{ contact: 'Contact', license: 'License' }
    },
    required: ['title', 'version']
  },
  Contact: { members: all('string', 'name url email') },
  License: { members: all('string', 'name url'), required: ['name'] },
  Server: {
    members: { ...all('string', 'url description'), variables: 'ServerVariable{}' },
    required: ['url']
  },
  ServerVariable: {
    members: { ...all('string', 'default description'), enum: 'string[]' },
    required: ['default']
  },
  Tag: {
    members: { ...all('string', 'name description'), externalDocs: 'ExternalDocs' },
    required: ['name']
  },
  ExternalDocs: { members: all('string', 'url description'), required: ['url'] },
  SecurityRequirement: { members: {}, named: { content: 'string[]', pattern: /^/ } },
  Components: {
    members: {
      ...{ schemas: 'Schema{}', responses: 'Response{}', parameters: 'Parameter{}', examples: 'Example{}' },
      ...{ requestBodies: 'RequestBody{}', headers: 'Header{}', securitySchemes: 'SecurityScheme{}' },
      ...{ links: 'Link{}', callbacks: 'Callback{}' }
    }
  },
  Paths: { members: {}, named: { content: 'PathItem', pattern: /^\// } },
  PathItem: {
    members: {
      ...{ ...texts, ...operations, $ref: 'string' },
      ...{ servers: 'Server[]', parameters: 'Parameter[]' }
    }
  },
  Operation: {
    members: {
      ...{ ...texts, tags: 'string[]', externalDocs: 'ExternalDocs', operationId: 'string' },
      ...{ parameters: 'Parameter[]', requestBody: 'RequestBody', responses: 'Responses' },
      ...{ callbacks: 'Callback{}', deprecated: 'boolean', security: 'SecurityRequirement[]' },
      servers: 'Server[]'
    },
    required: ['responses']
  },
  Parameter: {
    members: { ...parameter, name: 'string', in: ['query', 'header', 'path', 'cookie'] },
    needed: ['name', 'in'],
    oneOf: ['schema', 'content']
  },
  Header: { members: parameter, oneOf: ['schema', 'content'] },
  RequestBody: {
    members: { description: 'string', content: 'MediaType{}', required: 'boolean' },
    needed: ['content']
  },
  MediaType: {
    members: { schema: 'Schema', example: 'example', examples: 'Example{}', encoding: 'Encoding{}' }
  },
  Encoding: {
    members: {
      ...all('boolean', 'explode allowReserved'),
      ...{ contentType: 'string', headers: 'Header{}', style: styles }
    }
  },
  Responses: { members: { default: 'Response' }, named: { content: 'Response', pattern: /^\d[\dXx]{2}$/ } },
  Response: {
    members: { description: 'string', headers: 'Header{}', content: 'MediaType{}', links: 'Link{}' },
    required: ['description']
  },
  Callback: { members: {}, named: { content: 'PathItem', pattern: /^(?!x-)/ } },
  Example: { members: { ...texts, value: 'any', externalValue: 'string' } },
  Link: {
    members: {
      ...all('string', 'operationRef operationId description'),
      ...{ parameters: 'any', requestBody: 'any', server: 'Server' }
    }
  },
  Schema: { members: { ...keywords, nullable: 'boolean' } },
  Discriminator: {
    members: { propertyName: 'string', mapping: 'Mapping' },
    needed: ['propertyName']
  },
  Mapping: { members: {}, named: { content: 'mapped', pattern: /^/ } },
  Xml: { members: { ...all('string', 'name namespace prefix'), ...all('boolean', 'attribute wrapped') } },
  SecurityScheme: {
    members: {
      ...all('string', 'description name scheme bearerFormat openIdConnectUrl'),
      ...{ type: schemes, in: ['query', 'header', 'cookie'], flows: 'Flows' }
    },
    needed: ['type'],
    byType: {
      apiKey: { needed: ['name', 'in'] },
      http: { needed: ['scheme'], also: ['bearerFormat'] },
      oauth2: { required: ['flows'] },
      openIdConnect: { required: ['openIdConnectUrl'] }
    }
  },
  Scopes: { members: {}, named: { content: 'any', pattern: /^/ } },
  Flows: {
    members: {
      implicit: 'ImplicitFlow',
      authorizationCode: 'CodeFlow',
      ...all('TokenFlow', 'password clientCredentials')
    }
  },
  ImplicitFlow: {
    members: { ...flow, authorizationUrl: 'string' },
    required: ['authorizationUrl', 'scopes']
  },
  TokenFlow: { members: { ...flow, tokenUrl: 'string' }, required: ['tokenUrl', 'scopes'] },
  CodeFlow: {
    members: { ...flow, ...all('string', 'authorizationUrl tokenUrl') },
    required: ['authorizationUrl', 'tokenUrl', 'scopes']
  }
}

/** Returns the type with further members, and other rules. */
const extended = (
  types: NodeTypes,
  name: string,
  members: NodeType['members'],
  rules: Partial<NodeType> = {}
) => ({
  [name]: { ...types[name], ...rules, members: { ...types[name]?.members, ...members } }
})

const types31: NodeTypes = {
  ...types30,
  ...extended(
    types30,
    'Root',
    { webhooks: 'PathItem{}', jsonSchemaDialect: 'string' },
    { required: ['openapi', 'info'], oneOf: ['paths', 'components', 'webhooks'] }
  ),
  ...extended(types30, 'Info', { summary: 'string' }),
  ...extended(types30, 'License', { identifier: 'string' }),
  ...extended(types30, 'Components', { pathItems: 'PathItem{}' }),
  ...extended(types30, 'Operation', {}, { required: [] }),
  ...extended(
    types30,
    'SecurityScheme',
    { type: [...schemes, 'mutualTLS'] },
    { byType: { ...types30['SecurityScheme']?.byType, mutualTLS: {} } }
  ),
  Schema: {
    members: {
      ...keywords,
      ...all('string', '$id id $schema $anchor $dynamicAnchor $dynamicRef $comment'),
      ...all('string', 'summary contentEncoding contentMediaType'),
      ...all('count', 'minContains maxContains'),
      ...all('Schema', 'if then else contains propertyNames contentSchema'),
      ...all('Schema', 'unevaluatedItems unevaluatedProperties'),
      ...all('Schema{}', '$defs definitions dependentSchemas patternProperties'),
      ...{ prefixItems: 'Schema[]', examples: 'any', const: 'any', $vocabulary: 'any' },
      ...{ dependentRequired: 'string[]{}', dependencies: 'any' }
    }
  }
}

const types32: NodeTypes = {
  ...types31,
  ...extended(types31, 'Root', { $self: 'string' }),
  ...extended(types31, 'Tag', all('string', 'summary parent kind')),
  ...extended(types31, 'Server', { name: 'string' }),
  ...extended(types31, 'PathItem', { query: 'Operation', additionalOperations: 'Operation{}' }),
  ...extended(types31, 'Parameter', {
    in: ['query', 'header', 'path', 'cookie', 'querystring'],
    style: [...styles, 'cookie']
  }),
  ...extended(types31, 'Components', { mediaTypes: 'MediaType{}' }),
  ...extended(types31, 'Response', { summary: 'string' }, { required: [] }),
  ...extended(types31, 'MediaType', {
    ...{ itemSchema: 'Schema', itemEncoding: 'Encoding', prefixEncoding: 'Encoding[]' }
  }),
  ...extended(types31, 'Encoding', {
    ...{ encoding: 'Encoding{}', itemEncoding: 'Encoding', prefixEncoding: 'Encoding[]' }
  }),
  ...extended(types31, 'Example', { dataValue: 'any', serializedValue: 'string' }),
  ...extended(types31, 'Discriminator', { defaultMapping: 'mapped' }),
  ...extended(types31, 'Xml', { nodeType: 'any' }),
  ...extended(
    types31,
    'SecurityScheme',
    { oauth2MetadataUrl: 'string', deprecated: 'boolean' },
    {
      byType: {
        ...types31['SecurityScheme']?.byType,
        oauth2: { required: ['flows'], also: ['oauth2MetadataUrl'] }
      }
    }
  ),
  ...extended(types31, 'Flows', { deviceAuthorization: 'DeviceFlow' }),
  DeviceFlow: {
    members: { ...flow, ...all('string', 'deviceAuthorizationUrl tokenUrl') },
    required: ['deviceAuthorizationUrl', 'tokenUrl', 'scopes']
  }
}

/** @param version the first two numbers of the version of OpenAPI */
export const nodeTypes = (version: string): NodeTypes =>
  version === '3.0' ? types30 : version === '3.1' ? types31 : types32

/** Types of JSON Schema, of which `types` is one or a list. */
export const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

interface DataType {
  readonly name: string
  readonly fits: (value: unknown) => boolean
  readonly isPositive?: boolean
}

/** Returns true for data with nothing to check or follow: most members are such. */
export function isSoundData(value: Json, content: Content): boolean {
  const allowed = content === 'types' ? jsonTypes : content
  if (typeof allowed !== 'string') return allowed.some((one) => one === value)
  if (allowed === 'any') return true
  const type = dataTypes[allowed]
  return allowed !== 'mapped' && type?.isPositive !== true && type?.fits(value) === true
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'
const isInteger = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value)
const isText = (value: unknown): boolean => typeof value === 'string'

export const dataTypes: Readonly<Record<string, DataType>> = {
  string: { name: 'string', fits: isText },
  mapped: { name: 'string', fits: isText },
  boolean: { name: 'boolean', fits: (value) => typeof value === 'boolean' },
  number: { name: 'number', fits: isNumber },
  size: { name: 'number', fits: isNumber, isPositive: true },
  count: { name: 'integer', fits: isInteger, isPositive: true },
  array: { name: 'array', fits: Array.isArray }
}

/** Contents of schemas (JSON Schema Core 2020-12, section 4.3): anything else is an error in every version. */
export const inPlaceOfSchemas: Readonly<Record<string, string>> = {
  Schema: 'a schema, an object or a boolean',
  'Schema[]': 'a list of schemas',
  'Schema{}': 'an object of schemas by name'
}

/** Names a value in the sentence of a problem. */
export function described(value: Json | undefined): string {
  const type = typeOf(value)
  if (type === 'null') return type
  if (type === 'array' || type === 'object') return type === 'array' ? 'a list' : 'an object'
  const name = typeof value === 'string' ? 'text' : isNumber(value) ? 'number' : type
  return `the ${name} ${stringify(value)}`
}

export function typeOf(value: Json | undefined): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return isInteger(value) ? 'integer' : typeof value
}
