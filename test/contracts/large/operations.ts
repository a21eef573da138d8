/** The operations of one resource: collection, item, and some extras that only some resources have. */
import type { Choices } from './choices.ts'
import {
  array,
  headerRef,
  json,
  listParameters,
  type Operation,
  object,
  optionalParameters,
  parameterRef,
  type Resource,
  responseRef,
  type Schema,
  schemaRef
} from './schemas.ts'

export interface PlacedOperation {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** Adds the tag, the operationId and the responses that every operation has. */
export type Operate = (method: string, path: string, verb: string, operation: Operation) => PlacedOperation

export function resourceOperations(resource: Resource, choices: Choices): PlacedOperation[] {
  const { name, path } = resource
  const operate: Operate = (method, at, verb, operation) => ({
    path: at,
    method,
    operation: {
      operationId: `${path.split('/')[1]}/${verb}-${resource.noun}`,
      tags: [resource.domain],
      summary: `${verb} ${resource.noun}`,
      ...security(choices),
      ...operation,
      responses: { ...(operation['responses'] as object), ...failures(choices) }
    }
  })
  const item = `${path}/{${resource.noun}_id}`
  const draft = { required: true, content: json(schemaRef(`${name}Draft`), `${name}Draft`) }
  const one = (description: string) => ({
    description,
    headers: { ETag: headerRef('ETag'), 'X-RateLimit': headerRef('RateLimit') },
    content: json(schemaRef(name), name)
  })
  return [
    operate('get', path, 'list', {
      parameters: [...listParameters, ...choices.some(optionalParameters, 2)],
      responses: { 200: page(name) }
    }),
    operate('post', path, 'create', { requestBody: draft, responses: { 201: one('Created') } }),
    operate('get', item, 'get', {
      parameters: [parameterRef('RequestId'), parameterRef('Fields')],
      responses: { 200: one('Found') }
    }),
    operate('put', item, 'replace', {
      parameters: [parameterRef('IfMatch')],
      requestBody: draft,
      responses: { 200: one('Replaced'), 412: responseRef('Conflict') }
    }),
    operate('patch', item, 'update', { requestBody: patch(name), responses: { 200: one('Updated') } }),
    operate('delete', item, 'delete', { responses: { 204: { description: 'Deleted' } } }),
    ...extraOperations(resource, operate, choices)
  ]
}

const page = (name: string): Schema => ({
  description: 'A page',
  headers: { Link: headerRef('Link') },
  content: {
    ...json(schemaRef(`${name}Page`)),
    'application/vnd.example.list+json': { schema: array(schemaRef(name)) }
  }
})

const patch = (name: string): Schema => ({
  required: true,
  content: {
    ...json(schemaRef(`${name}Patch`)),
    'application/merge-patch+json': { schema: schemaRef(`${name}Patch`) }
  }
})

/** Returns the security of an operation: mostly that of the document, sometimes alternatives or none. */
function security(choices: Choices): Operation {
  const kind = choices.below(6)
  if (kind === 0) return { security: [{ bearer: [] }, { key: [], session: [] }, { basic: [] }] }
  return kind === 1 ? { security: [] } : {}
}

function failures(choices: Choices): Operation {
  const named = choices.some(
    [
      ['400', 'BadRequest'],
      ['401', 'Unauthorized'],
      ['404', 'NotFound'],
      ['409', 'Conflict'],
      ['422', 'Unprocessable']
    ],
    3
  )
  const chosen = named.map(([status = '', name = '']) => [status, responseRef(name)])
  return { ...Object.fromEntries(chosen), default: responseRef('Unexpected') }
}

type Extra = (resource: Resource, item: string, operate: Operate) => PlacedOperation

/** @returns two to five of them */
export function extraOperations(resource: Resource, operate: Operate, choices: Choices): PlacedOperation[] {
  const item = `${resource.path}/{${resource.noun}_id}`
  return choices.some(extras, 2 + choices.below(4)).map((extra) => extra(resource, item, operate))
}

const extras: readonly Extra[] = [thread, events, exported, attach, batch, subscribe, search, cancel]

function thread({ name }: Resource, item: string, operate: Operate): PlacedOperation {
  const note = schemaRef(`${name}Note`)
  const responses = { 201: { description: 'The thread', content: json(note) } }
  return operate('post', `${item}/notes`, 'annotate', { requestBody: { content: json(note) }, responses })
}

function events({ name }: Resource, item: string, operate: Operate): PlacedOperation {
  const event = schemaRef(`${name}Event`)
  const responses = { 202: { description: 'Accepted', content: json(array(event)) } }
  return operate('post', `${item}/events`, 'report', {
    requestBody: { required: true, content: json(event) },
    responses
  })
}

function exported({ path }: Resource, _item: string, operate: Operate): PlacedOperation {
  const text = { schema: { type: 'string' } }
  const bytes = { schema: { type: 'string', format: 'binary' } }
  const content = { 'text/csv': text, 'application/zip': bytes, ...json({ type: 'array', items: {} }) }
  return operate('get', `${path}/export`, 'export', {
    parameters: [parameterRef('Range')],
    responses: { 200: { description: 'All of them', content } }
  })
}

function attach(_resource: Resource, item: string, operate: Operate): PlacedOperation {
  const form = object({ title: { type: 'string' }, file: { type: 'string', format: 'binary' } }, ['title'])
  const content = {
    'multipart/form-data': { schema: form },
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } }
  }
  return operate('post', `${item}/attachments`, 'attach', {
    requestBody: { required: true, content },
    responses: { 204: { description: 'Attached' } }
  })
}

function batch({ name, path }: Resource, _item: string, operate: Operate): PlacedOperation {
  const result = object(
    { status: { type: 'integer' }, error: { nullable: true, allOf: [schemaRef('Error')] } },
    ['status']
  )
  return operate('post', `${path}/batch`, 'batch', {
    requestBody: {
      required: true,
      content: json(array(schemaRef(`${name}Draft`), { minItems: 1, maxItems: 100 }))
    },
    responses: { 207: { description: 'One result each', content: json(array(result)) } }
  })
}

function subscribe({ name }: Resource, item: string, operate: Operate): PlacedOperation {
  const form = object(
    {
      callback_url: { type: 'string', format: 'uri' },
      events: array({ type: 'string' }),
      seconds: { type: 'integer', minimum: 60, example: 3600 }
    },
    ['callback_url']
  )
  const called: Schema = {
    post: {
      requestBody: { content: json(schemaRef(`${name}Event`)) },
      responses: { 204: { description: 'Received' } }
    }
  }
  return operate('post', `${item}/subscriptions`, 'subscribe', {
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: form } } },
    responses: { 204: { description: 'Subscribed' } },
    callbacks: { event: { '{$request.body#/callback_url}': called } }
  })
}

function search({ name, path }: Resource, _item: string, operate: Operate): PlacedOperation {
  const words = { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 1 } }
  const sort = {
    name: 'sort',
    in: 'query',
    schema: { type: 'string', enum: ['name', '-name', 'created_at'] }
  }
  const trace = { name: 'trace', in: 'cookie', schema: { type: 'boolean' } }
  return operate('get', `${path}/search`, 'search', {
    parameters: [words, sort, trace, parameterRef('Labels'), parameterRef('Filter'), parameterRef('PerPage')],
    responses: { 200: { description: 'Found', content: json(schemaRef(`${name}Page`)) } }
  })
}

function cancel({ name }: Resource, item: string, operate: Operate): PlacedOperation {
  return operate('post', `${item}/cancel`, 'cancel', {
    deprecated: true,
    responses: {
      200: { description: 'Cancelled', content: json(schemaRef(name)) },
      '4XX': responseRef('Conflict')
    }
  })
}
