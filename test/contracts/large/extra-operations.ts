/** Operations that only some resources have: thread, events, export, attachments, batch, form, search. */
import type { Choices } from './choices.ts'
import { array, json, object, parameterRef, responseRef, type Schema, schemaRef } from './document.ts'
import type { Operate, PlacedOperation } from './resource-operations.ts'
import type { Resource } from './resources.ts'

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
