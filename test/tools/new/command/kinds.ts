/** Contracts of kinds that the collection has not, as new projects meet them, by name. */

/** Names that are longer than the lines of a formatter. */
function longNames() {
  const long = (name: string) => `${name}${'OfAVeryLongName'.repeat(8)}`
  const problem = (name: string) => {
    const schema = {
      type: 'object',
      required: [long(name)],
      properties: { [long(name)]: { type: 'string' } }
    }
    return { description: 'x', content: { 'application/json': { schema } } }
  }
  const operation = (name: string) => ({
    operationId: long(name),
    tags: [long('things')],
    security: [{ [long('scheme')]: [] }],
    responses: { 204: { description: 'x' }, 400: problem(name), default: problem('other') }
  })
  return {
    openapi: '3.1.0',
    info: { title: long('a'), version: '1' },
    paths: { '/things': { get: operation('get'), post: operation('post') } },
    components: { securitySchemes: { [long('scheme')]: { type: 'http', scheme: 'bearer' } } }
  }
}

/** Tags that are no names of folders, on operations without an operationId. */
function oddTags(openapi: string) {
  const tags = [
    '../up',
    'a/b\\c',
    'Ünïcode 🦊',
    '.',
    'con',
    'handlers',
    'x'.repeat(300),
    "it's `{{name}}` */",
    ''
  ]
  const operation = (tag: string) => ({ tags: [tag], responses: { 204: { description: tag || 'none' } } })
  const paths = tags.map((tag, index) => [`/{id}/things-${index}/v1.0`, { get: operation(tag) }] as const)
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  return {
    openapi,
    info: { title: '# <b>Odd</b> `tags` | *of* {{name}}', version: '1' },
    servers: [{ url: "https://things.example/it's/v1" }],
    paths: Object.fromEntries(paths.map(([path, item]) => [path, { ...item, parameters }]))
  }
}

/** A scheme of every type, with scopes; an operation for each, and one that requires several. */
function schemes() {
  const scopes = { 'things:read': 'reads', 'things:write': 'writes' }
  const url = 'https://id.example'
  const securitySchemes = {
    bearer: { type: 'http', scheme: 'Bearer' },
    basic: { type: 'http', scheme: 'basic' },
    header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: url, scopes } } },
    'open-id': { type: 'openIdConnect', openIdConnectUrl: url },
    certificate: { type: 'mutualTLS' }
  }
  const scopesOf = (name: string) => (/^o/.test(name) ? Object.keys(scopes) : [])
  const operation = (security: object) => ({ security: [security], responses: { 204: { description: 'x' } } })
  const each = Object.keys(securitySchemes).map(
    (name) => [`/${name}`, { post: operation({ [name]: scopesOf(name) }) }] as const
  )
  const both = { get: operation({ bearer: ['things:read'], cookie: [] }) }
  return {
    openapi: '3.1.0',
    info: { title: 'Schemes', version: '1' },
    paths: { ...Object.fromEntries(each), '/both': both },
    components: { securitySchemes }
  }
}

/** Answers and bodies in several media types, an upload, cookies, conditions, a webhook. */
function mediaTypes(openapi: string) {
  const thing = {
    type: 'object',
    required: ['id', 'data'],
    properties: { id: { type: 'integer', format: 'int64' }, data: { type: 'string', minLength: 2 } }
  }
  const content = {
    'application/json': { schema: thing },
    'application/vnd.thing+json; version=2': { schema: thing },
    'text/csv': { schema: { type: 'string' } }
  }
  const file = { type: 'string', format: 'binary' }
  const form = { type: 'object', required: ['file'], properties: { file, note: { type: 'string' } } }
  const optional = (name: string, where: string) => ({ name, in: where, schema: { type: 'string' } })
  const event = { post: { requestBody: { content }, responses: { 204: { description: 'x' } } } }
  return {
    openapi,
    info: { title: 'Media types', version: '1' },
    paths: {
      '/things': {
        parameters: [
          optional('cursor', 'query'),
          optional('If-Match', 'header'),
          optional('theme', 'cookie')
        ],
        put: { requestBody: { required: true, content }, responses: { 200: { description: 'x', content } } },
        post: {
          requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
          responses: { 201: { description: 'x', headers: { Location: { schema: { type: 'string' } } } } }
        }
      }
    },
    ...(openapi > '3.1' && { webhooks: { changed: event } })
  }
}

export const kinds: Readonly<Record<string, object>> = {
  'long-names': longNames(),
  'odd-tags-3.0': oddTags('3.0.4'),
  'odd-tags-3.2': oddTags('3.2.0'),
  schemes: schemes(),
  'media-types-3.0': mediaTypes('3.0.3'),
  'media-types-3.1': mediaTypes('3.1.1')
}
