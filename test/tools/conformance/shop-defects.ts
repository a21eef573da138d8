/** Defects of the shop: of its credentials, its resources, its statuses and its answers. */
import type { ServerResponse } from 'node:http'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import type { Check } from '../../../src/tools/conformance/conformance.ts'
import { exactJson, written } from './exact-json.ts'
import {
  type Answered,
  type Asked,
  type Defect,
  type Front,
  failing,
  frontedServer,
  inBody,
  inForm,
  inHeader,
  inQuery,
  inUrl,
  reading,
  refused
} from './fronts.ts'

export const shop = await compileInMemory('test/tools/conformance/shop.yaml')
export const token = 'token-of-the-shop'
export const key = 'key-of-the-shop'

type Members = Readonly<Record<string, unknown>>

const bearer = { authorization: `Bearer ${token}` }
const ownKey = { 'x-key': key }
const given = (asked: Asked, headers: Record<string, string>): Asked => ({
  ...asked,
  headers: { ...asked.headers, ...headers }
})

/** The mock accepts every credential: those that the shop does not know are left out. */
function known(asked: Asked): Asked {
  const { authorization, 'x-key': sent, ...headers } = asked.headers
  return {
    ...asked,
    headers: {
      ...headers,
      ...(authorization === bearer.authorization && bearer),
      ...(sent === key && ownKey)
    }
  }
}

/** @param defect name of the defect; undefined for a correct shop */
export function shopServer(defect?: string) {
  const front = shopDefects.find(([name]) => name === defect)?.[1] ?? {}
  const { request = (asked: Asked) => asked } = front
  return frontedServer(
    shop,
    { ...front, request: (asked) => known(request(asked)) },
    { resources: new Map() }
  )
}

const members = (change: (value: Members) => unknown) => (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value as Members) : value

const read = (body: string): Members => {
  try {
    return Object(exactJson(body))
  } catch {
    return {}
  }
}

/** Changes the answers with a status. */
const answered = (status: number, change: (all: Answered) => Partial<Answered>): Front => ({
  answer: (all) => (all.status === status ? { ...all, ...change(all) } : all)
})
const withBody = (status: number, change: (body: Members) => unknown): Front =>
  answered(status, ({ body }) => ({ body: written(change(read(body))) }))
const withHeaders = (status: number, change: (headers: Answered['headers']) => Answered['headers']): Front =>
  answered(status, ({ headers }) => ({ headers: change(headers) }))
/** Refuses requests that are valid. */
const refusing = (isRefused: (asked: Asked) => boolean): Front => ({
  answer: (all, asked) => (isRefused(asked) ? refused(400) : all)
})
const isCode = /^[A-Z]{3}[0-9]{2}$/
const isInt64 = (value: bigint) => BigInt.asIntN(64, value) === value
const rounded = ({ body }: Answered) => ({ body: JSON.stringify(JSON.parse(body)) })
const add = 'POST /items'
const list = 'GET /items'
const item = 'GET /items/{itemId}'
const remove = 'DELETE /items/{itemId}'
const price = 'PUT /items/{itemId}/price'
const note = 'POST /notes'
const status = 'GET /status'

const rows: readonly (readonly [check: Check, operation: string, fronts: Readonly<Record<string, Front>>])[] =
  [
    [
      'invalid-request-accepted',
      add,
      {
        'the id is optional': inBody(
          '',
          members((body) => ({ id: 7, ...body }))
        ),
        'an id may be beyond int64': inBody('id', (id) => (typeof id !== 'bigint' || isInt64(id) ? id : 7)),
        'a kind may be anything': inBody('kind', () => 'pot'),
        'a code may be anything': inBody('code', (code) => (isCode.test(String(code)) ? code : 'ABC12')),
        'a count may be beyond int32': inBody('count', (count) => (Number(count) < 2 ** 31 ? count : 7)),
        'tags may be equal': inBody('tags', (tags) => (Array.isArray(tags) ? [...new Set(tags)] : tags)),
        'a size may hold more': inBody(
          'size',
          members(({ notDeclared: _more, ...size }) => size)
        ),
        'malformed JSON is accepted': reading((asked) => ({
          ...asked,
          body: 'id' in read(asked.body) ? asked.body : '{"id":7,"name":"x","kind":"pot"}'
        }))
      }
    ],
    [
      'invalid-request-accepted',
      list,
      {
        'a kind in the query may be anything': inQuery('kind', () => 'pot'),
        'a header may be anything': inHeader('x-trace', () => 'abcdef01')
      }
    ],
    [
      'invalid-request-accepted',
      item,
      { 'the id in the path may be anything': inUrl((url) => url.replace(/^\/items\/[^/]+$/, '/items/7')) }
    ],
    [
      'invalid-request-accepted',
      price,
      {
        'a required parameter is optional': inUrl((url) => url.replace(/price$/, 'price?currency=EUR')),
        'an exclusive bound is inclusive': inBody('price', (value) => (value === 0 ? 1 : value))
      }
    ],
    [
      'invalid-request-accepted',
      note,
      {
        'long notes are accepted': reading((asked) => ({ ...asked, body: asked.body.slice(0, 2000) })),
        'a field may be anything': inForm('stars', () => '1')
      }
    ],
    [
      'valid-request-refused',
      add,
      {
        'undeclared properties are refused': refusing(({ body }) => body.includes('undeclared')),
        '2^53 is refused': refusing(({ body }) => typeof read(body)['id'] === 'bigint'),
        'null is refused': refusing(({ body }) => read(body)['note'] === null)
      }
    ],
    [
      'valid-request-refused',
      remove,
      { 'an alternative is forgotten': reading((asked) => given(asked, { 'x-key': '' })) }
    ],
    [
      'server-error',
      add,
      {
        'emoji crash': failing(({ body }) => /\p{Extended_Pictographic}/u.test(body)),
        'U+0000 crashes': failing(({ body }) => body.includes(String.raw`\u0000`)),
        'a missing body crashes': failing(({ method, body }) => method === 'POST' && body === '')
      }
    ],
    [
      'server-error',
      item,
      {
        'a wrong id in the path crashes': failing(({ url }) => /^\/items\/-?\d*[^\d-]/.test(url))
      }
    ],
    ['server-error', status, { 'every request crashes': failing(() => true) }],
    [
      'time-out',
      status,
      {
        'an operation hangs': { instead: ({ url }) => url === '/status' },
        'an answer never ends': { instead: ({ url }, response) => url === '/status' && endless(response) }
      }
    ],
    [
      'connection',
      status,
      {
        'an operation closes the connection': {
          instead: ({ url }, { socket }) => url === '/status' && socket?.destroy() !== undefined
        }
      }
    ],
    [
      'missing-credentials-accepted',
      list,
      { 'no credentials are asked for': reading((asked) => given(asked, bearer)) }
    ],
    [
      'missing-credentials-accepted',
      price,
      { 'one of two credentials is enough': reading((asked) => given(asked, ownKey)) }
    ],
    [
      'wrong-credentials-accepted',
      list,
      {
        'every token is accepted': reading((asked) =>
          asked.headers['authorization'] === undefined ? asked : given(asked, bearer)
        )
      }
    ],
    ['unauthorized-status', list, { 'no credentials are malformed': answered(401, () => ({ status: 400 })) }],
    [
      'undeclared-method',
      'PUT /items',
      {
        'an undeclared method is answered': answered(405, () => ({ status: 200 })),
        'an undeclared method is 404': answered(405, () => ({ status: 404 })),
        'Allow leaves a method out': withHeaders(405, (headers) => ({ ...headers, allow: 'GET' }))
      }
    ],
    [
      'undeclared-status',
      add,
      {
        'the status is undeclared': answered(201, () => ({ status: 202 })),
        '403 is undeclared': answered(401, () => ({ status: 403 }))
      }
    ],
    ['undeclared-status', remove, { 'a deletion answers 200': answered(204, () => ({ status: 200 })) }],
    [
      'response-media-type',
      list,
      {
        'the media type is undeclared': withHeaders(200, (all) => ({ ...all, 'content-type': 'text/plain' }))
      }
    ],
    [
      'response-header',
      list,
      { 'a required header is missing': withHeaders(200, ({ 'x-total': _total, ...all }) => all) }
    ],
    [
      'response-header',
      add,
      { 'a header does not match': withHeaders(201, (all) => ({ ...all, location: 'items' })) }
    ],
    [
      'response-body',
      add,
      {
        'the answer lacks a property': withBody(201, ({ kind: _kind, ...body }) => body),
        'the answer is empty': answered(201, ({ headers: { 'content-type': _type, ...headers } }) => ({
          headers,
          body: ''
        })),
        'refusals have another shape': withBody(400, () => ({ error: 1 }))
      }
    ],
    [
      'response-body',
      list,
      { 'a list is an object': withBody(200, (all) => (Array.isArray(all) ? {} : all)) }
    ],
    ['response-body', item, { 'the id of the path comes back rounded': answered(200, rounded) }],
    ['response-body', note, { 'the text does not match': answered(200, () => ({ body: 'long' })) }],
    [
      'response-body',
      status,
      { 'a date is not a date': withBody(200, (all) => ({ ...all, since: 'yesterday' })) }
    ],
    [
      'value-changed',
      add,
      {
        'int64 is rounded': answered(201, rounded),
        'a text is cut': withBody(201, (all) => ({ ...all, name: String(all['name']).slice(0, 20) }))
      }
    ],
    [
      'created-not-found',
      item,
      {
        'what is created is lost': {
          answer: (all, { method, url }) =>
            method === 'GET' && url.startsWith('/items/')
              ? { ...refused(404), body: '{"message":"no such item"}' }
              : all
        }
      }
    ]
  ]

export const shopDefects: readonly Defect[] = rows.flatMap(([check, operation, fronts]) =>
  Object.entries(fronts).map(([defect, front]): Defect => [defect, front, check, operation, /^/])
)

/** Writes blanks until the client leaves. */
function endless(response: ServerResponse): boolean {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
  return true
}
