/** The operations of one resource: collection, item, and some of its extras. */
import type { Choices } from './choices.ts'
import {
  array,
  headerRef,
  json,
  type Operation,
  parameterRef,
  responseRef,
  type Schema,
  schemaRef
} from './document.ts'
import { extraOperations } from './extra-operations.ts'
import type { Resource } from './resources.ts'
import { listParameters, optionalParameters } from './shared-components.ts'

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
