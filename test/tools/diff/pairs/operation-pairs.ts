/** A pair of contracts for each rule for everything except schemas, with the report of the reverse edit. */
import { withOperation } from './documents.ts'

type Node = Readonly<Record<string, unknown>>

export interface OperationPair {
  readonly rule: string
  readonly reverse: string
  readonly old: Node
  readonly now: Node
}

const text = { type: 'string' }
const number = { type: 'integer' }
/** Texts that spell a number have to be at most 5. */
const mixed = { type: ['integer', 'string'], maximum: 5 }
const secret = { type: 'string', not: { pattern: '^(?=98765)' } }
const list = { type: 'array', items: text }
const json = { 'application/json': { schema: text } }
const csv = { 'text/csv': { schema: text } }

const pair = (rule: string, reverse: string, old: Node, now: Node): OperationPair => ({
  rule,
  reverse,
  old,
  now
})

/** A pair of operations. */
const of = (rule: string, reverse: string, old: Node, now: Node, more: Node = {}): OperationPair =>
  pair(rule, reverse, withOperation(old, more), withOperation(now, more))

const query = (more: Node, schema: unknown = text) => ({
  parameters: [{ name: 'q', in: 'query', schema, ...more }]
})
const body = (more: Node) => ({ requestBody: { content: json, ...more } })
const answers = (responses: Node) => ({ responses })
const answer = (more: Node) => answers({ 200: { description: 'OK', ...more } })
const header = (more: Node) => answer({ headers: { 'X-Count': { schema: { type: 'integer' }, ...more } } })
const ok = { description: 'OK' }
const part = (encoding: Node) => ({
  content: {
    'multipart/form-data': { schema: { type: 'object', properties: { a: text } }, encoding: { a: encoding } }
  }
})

const paths = (names: Node): Node => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: names
})
const get = { get: { responses: { 200: ok } } }
const put = { put: { responses: { 200: ok } } }
const ended = { get: { ...get.get, deprecated: true, 'x-sunset': '2020-01-01' } }

const flow = (more: Node) => ({
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} }, ...more }
})
const schemes = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    auth: flow({})
  }
}
const secured = (rule: string, reverse: string, old: unknown, now: unknown): OperationPair =>
  of(rule, reverse, { security: old }, { security: now }, { components: schemes })

const scheme = (node: unknown): Node =>
  withOperation({ security: [{ a: [] }] }, { components: { securitySchemes: { a: node } } })
const password = { password: { tokenUrl: 'https://a.example/p', scopes: {} } }
const openId = (host: string) => ({ type: 'openIdConnect', openIdConnectUrl: `https://${host}/` })

const callback = (post: Node) => ({
  callbacks: { done: { '{$request.query.url}': { post: { responses: { 200: ok }, ...post } } } }
})
const webhook = (post: Node) => ({ webhooks: { done: { post: { responses: { 200: ok }, ...post } } } })
const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) })
const region = (...names: string[]) => ({
  servers: [{ url: 'https://{r}.example', variables: { r: { default: 'eu', enum: names } } }]
})

export const operationPairs: readonly OperationPair[] = [
  pair('path-removed', 'operation-added', paths({ '/a': get, '/b': get }), paths({ '/b': get })),
  pair('operation-removed', 'operation-added', paths({ '/a': { ...get, ...put } }), paths({ '/a': get })),
  pair(
    'operation-moved',
    'operation-moved',
    paths({ '/a': { get: { ...get.get, operationId: 'a' } } }),
    paths({ '/b': { get: { ...get.get, operationId: 'a' } } })
  ),
  pair('operation-removed-after-sunset', 'operation-added', paths({ '/a': ended }), paths({})),
  of('operation-id-changed', 'operation-id-changed', { operationId: 'a' }, { operationId: 'b' }),
  of('operation-deprecated', 'operation-undeprecated', {}, { deprecated: true }),
  of('strict-query-added', 'strict-query-removed', {}, { 'x-strict-query': true }),
  of('sunset-added', 'sunset-removed', {}, { 'x-sunset': '2030-01-01' }),
  of(
    'sunset-moved-earlier',
    'sunset-moved-later',
    { 'x-sunset': '2030-01-01' },
    { 'x-sunset': '2029-01-01' }
  ),
  of('sunset-unreadable', 'sunset-added', { 'x-sunset': '2030-01-01' }, { 'x-sunset': 'soon' }),
  of('required-parameter-added', 'required-parameter-removed', {}, query({ required: true })),
  of('optional-parameter-added', 'optional-parameter-removed', {}, query({})),
  of('parameter-became-required', 'parameter-became-optional', query({}), query({ required: true })),
  of(
    'parameter-style-changed',
    'parameter-style-changed',
    query({ explode: false }, list),
    query({ style: 'pipeDelimited', explode: false }, list)
  ),
  of(
    'parameter-explode-changed',
    'parameter-explode-changed',
    query({}, list),
    query({ explode: false }, list)
  ),
  of('parameter-media-type-changed', 'parameter-media-type-changed', query({}), {
    parameters: [{ name: 'q', in: 'query', content: json }]
  }),
  of('parameter-reserved-allowed', 'parameter-reserved-refused', query({}), query({ allowReserved: true })),
  of('parameter-empty-allowed', 'parameter-empty-refused', query({}), query({ allowEmptyValue: true })),
  of('parameter-deprecated', 'parameter-undeprecated', query({}), query({ deprecated: true })),
  of('required-request-body-added', 'request-body-removed', {}, body({ required: true })),
  of('optional-request-body-added', 'request-body-removed', {}, body({})),
  of('request-body-became-required', 'request-body-became-optional', body({}), body({ required: true })),
  of(
    'request-media-type-removed',
    'request-media-type-added',
    body({ content: { ...json, ...csv } }),
    body({})
  ),
  of(
    'request-encoding-changed',
    'request-encoding-changed',
    body({ content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } }),
    body({
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object' },
          encoding: { a: { explode: false } }
        }
      }
    })
  ),
  of(
    'request-encoding-kept',
    'request-encoding-changed',
    body(part({ contentType: 'image/png' })),
    body(part({ contentType: 'image/jpeg, image/png' }))
  ),
  of(
    'response-encoding-changed',
    'response-encoding-kept',
    answer(part({ contentType: 'image/png' })),
    answer(part({ contentType: 'image/*' }))
  ),
  of('body-limit-lowered', 'body-limit-raised', body({ 'x-body-limit': 200 }), body({ 'x-body-limit': 100 })),
  of(
    'response-media-range-narrowed',
    'response-media-type-added',
    answer({ content: { 'image/*': {} } }),
    answer({ content: { 'image/png': {} } })
  ),
  of('parameter-texts-kept', 'parameter-texts-narrowed', query({}, mixed), query({})),
  of('parameter-texts-narrowed', 'parameter-texts-kept', query({}), query({}, mixed)),
  of(
    'parameter-texts-undecided',
    'parameter-became-required',
    query({ required: true }, number),
    query({}, secret)
  ),
  of(
    'response-header-texts-kept',
    'response-header-texts-widened',
    header({ schema: text }),
    header({ schema: mixed })
  ),
  of(
    'response-header-texts-widened',
    'response-header-texts-kept',
    header({ schema: mixed }),
    header({ schema: text })
  ),
  of(
    'response-header-texts-undecided',
    'response-header-became-optional',
    header({ schema: secret }),
    header({ required: true, schema: number })
  ),
  of('response-status-added', 'response-status-removed', {}, answers({ 200: ok, 404: ok })),
  of(
    'response-success-removed',
    'response-status-added',
    answers({ 200: ok, 404: ok }),
    answers({ 404: ok })
  ),
  of('response-body-removed', 'response-body-added', answer({ content: json }), {}),
  of(
    'response-media-type-removed',
    'response-media-type-added',
    answer({ content: { ...json, ...csv } }),
    answer({ content: json })
  ),
  of('required-response-header-removed', 'response-header-added', header({ required: true }), {}),
  of('optional-response-header-removed', 'response-header-added', header({}), {}),
  of(
    'response-header-became-optional',
    'response-header-became-required',
    header({ required: true }),
    header({})
  ),
  of(
    'response-header-serialization-changed',
    'response-header-serialization-changed',
    header({ schema: { type: 'object' } }),
    header({ schema: { type: 'object' }, explode: true })
  ),
  of('response-header-deprecated', 'response-header-undeprecated', header({}), header({ deprecated: true })),
  of(
    'link-changed',
    'link-changed',
    answer({ links: { next: { operationId: 'a' } } }),
    answer({ links: { next: { operationId: 'b' } } })
  ),
  of('link-removed', 'link-added', answer({ links: { next: {} } }), {}),
  secured('security-added', 'security-removed', [], [{ bearer: [] }]),
  secured(
    'security-alternative-removed',
    'security-alternative-added',
    [{ bearer: [] }, { key: [] }],
    [{ bearer: [] }]
  ),
  secured('security-scheme-added', 'security-scheme-removed', [{ bearer: [] }], [{ bearer: [], key: [] }]),
  secured(
    'security-scope-added',
    'security-scope-removed',
    [{ auth: ['read'] }],
    [{ auth: ['read', 'write'] }]
  ),
  pair(
    'security-scheme-changed',
    'security-scheme-changed',
    scheme({ type: 'http', scheme: 'bearer' }),
    scheme({ type: 'http', scheme: 'basic' })
  ),
  pair('oauth-flow-removed', 'oauth-flow-added', scheme(flow(password)), scheme(flow({}))),
  pair(
    'oauth-url-changed',
    'oauth-url-changed',
    scheme(flow(password)),
    scheme(flow({ password: { ...password.password, tokenUrl: 'https://b.example/' } }))
  ),
  pair(
    'open-id-url-changed',
    'open-id-url-changed',
    scheme(openId('a.example')),
    scheme(openId('b.example'))
  ),
  of('server-path-changed', 'server-path-changed', servers('/v1'), servers('/v2')),
  of(
    'server-removed',
    'server-added',
    servers('https://a.example', 'https://b.example'),
    servers('https://a.example')
  ),
  of('server-variable-changed', 'server-variable-changed', region('eu', 'us'), region('eu')),
  of('callback-removed', 'callback-added', callback({}), {}),
  of('callback-part-lost', 'callback-part-gained', callback(query({ required: true })), callback({})),
  of('callback-changed', 'callback-changed', callback({}), callback(answers({ 200: ok, 404: ok }))),
  pair('webhook-removed', 'webhook-added', withOperation({}, webhook({})), withOperation({})),
  pair(
    'webhook-part-lost',
    'webhook-part-gained',
    withOperation({}, webhook(body({}))),
    withOperation({}, webhook({}))
  ),
  pair(
    'webhook-changed',
    'webhook-changed',
    withOperation({}, webhook({})),
    withOperation({}, webhook(answers({ 200: ok, 404: ok })))
  )
]
