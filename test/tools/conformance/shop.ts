/** A correct implementation of shop.yaml, written by hand and independent of the engine; each defect spoils one place of it. */

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface Given {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

type Item = Readonly<Record<string, unknown>>
type Has = (defect: string) => boolean

export const token = 'token-of-the-shop'
export const key = 'key-of-the-shop'

export class Shop {
  readonly #items = new Map<string, Item>()
  readonly #has: Has

  /** @param defect name of the defect; empty for a correct shop */
  constructor(defect = '') {
    this.#has = (name) => name === defect
  }

  answer(asked: Asked): Given {
    const has = this.#has
    const route = routes.find(({ pattern }) => pattern.test(asked.path))
    if (route === undefined) return problem(404, 'no such path')
    const handle = route.methods[asked.method]
    if (handle === undefined) {
      if (has('undeclared method is 404')) return problem(404, 'no')
      if (has('undeclared method is answered') && asked.method === 'PATCH') return { status: 200, body: '{}' }
      const allow = has('allow leaves a method out') ? 'GET' : Object.keys(route.methods).join(', ')
      return {
        ...problem(405, 'no such method'),
        headers: has('405 without allow') ? json : { ...json, allow }
      }
    }
    const wrong = credentialProblem(asked, route.security?.[asked.method] ?? route.schemes, has)
    if (wrong !== undefined) {
      const status = has('no credentials are malformed') ? 400 : 401
      return problem(has('403 is undeclared') ? 403 : status, wrong)
    }
    try {
      return handle.call(this, asked, this.#items, has)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (has('refusals have another shape'))
        return { status: error.status, headers: json, body: '{"error":1}' }
      if (has('refusals are undeclared') && asked.path === '/items' && error.status === 400)
        return problem(422, error.message)
      if (has('refusals are text'))
        return { status: error.status, headers: { 'content-type': 'text/html' }, body: 'no' }
      return problem(error.status, error.message)
    }
  }
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Handle = (this: Shop, asked: Asked, items: Map<string, Item>, has: Has) => Given

interface Route {
  readonly pattern: RegExp
  /** Alternatives of the operation, each a list of schemes. */
  readonly schemes: readonly (readonly string[])[]
  readonly security?: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly methods: Readonly<Record<string, Handle>>
}

const json = { 'content-type': 'application/json' }
const problem = (status: number, message: string): Given => ({
  status,
  headers: json,
  body: JSON.stringify({ message })
})

const routes: readonly Route[] = [
  { pattern: /^\/items$/, schemes: [['bearer']], methods: { GET: listItems, POST: createItem } },
  {
    pattern: /^\/items\/[^/]+$/,
    schemes: [['bearer']],
    security: { DELETE: [['bearer'], ['key']] },
    methods: { GET: getItem, DELETE: deleteItem }
  },
  { pattern: /^\/items\/[^/]+\/price$/, schemes: [['bearer', 'key']], methods: { PUT: setPrice } },
  { pattern: /^\/notes$/, schemes: [], methods: { POST: addNote } },
  { pattern: /^\/status$/, schemes: [], methods: { GET: getStatus } }
]

function credentialProblem(
  { headers, method }: Asked,
  alternatives: readonly (readonly string[])[],
  has: Has
) {
  if (alternatives.length === 0 || has('no credentials are asked for')) return undefined
  if (has('DELETE asks for no credentials') && method === 'DELETE') return undefined
  const given = String(headers['authorization'] ?? '')
  const isKnown = has('every token is accepted') ? given.startsWith('Bearer ') : given === `Bearer ${token}`
  const satisfied = { bearer: isKnown, key: headers['x-key'] === key }
  if (has('one of two credentials is enough') && alternatives[0]?.length === 2)
    return isKnown ? undefined : 'no'
  if (has('an alternative is forgotten') && alternatives.length > 1) return isKnown ? undefined : 'no'
  return alternatives.some((all) => all.every((name) => Reflect.get(satisfied, name)))
    ? undefined
    : 'credentials are wrong'
}

function parsed(text: string, has: Has): unknown {
  return has('int64 is rounded') ? JSON.parse(text) : exactJson(text)
}

/** Parses JSON; integers that a double cannot hold are bigints. */
export function exactJson(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown
  ) => unknown
  return parse(text, (_key, value, { source = '' }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
  )
}

export const written = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item
  )

function jsonOf({ headers, body }: Asked, has: Has): unknown {
  const type = String(headers['content-type'] ?? '')
  if (body === '' && has('a missing body crashes')) throw new TypeError('no body')
  if (!has('any media type is accepted') && !/^application\/json\b/.test(type))
    throw new Refused(body === '' ? 400 : 415, 'not JSON')
  try {
    return parsed(body, has)
  } catch {
    if (has('malformed JSON crashes')) throw new TypeError('not JSON')
    if (has('malformed JSON is accepted')) return { id: nextId(), name: 'x', kind: 'pot', price: 1 }
    throw new Refused(400, 'malformed JSON')
  }
}

const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value)
const isInt64 = (value: unknown) => isInteger(value) && value >= -(2n ** 63n) && value < 2n ** 63n
const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const lengthOf = (text: string) => [...text].length

/** Checks of each property; a defect of the same name leaves the check out. */
const checks: readonly (readonly [defect: string, wrong: (item: Item) => boolean])[] = [
  ['id is optional', ({ id }) => id === undefined],
  ['id may be of any type', ({ id }) => id !== undefined && !isInteger(id)],
  ['id may be beyond int64', ({ id }) => isInteger(id) && !isInt64(id)],
  ['name is optional', ({ name }) => name === undefined],
  ['name may be null', ({ name }) => name === null],
  ['name may be of any type', ({ name }) => name !== undefined && name !== null && typeof name !== 'string'],
  ['name may be empty', ({ name }) => name === ''],
  ['name may be too long', ({ name }) => typeof name === 'string' && lengthOf(name) > 60],
  ['kind may be anything', ({ kind }) => !['plant', 'pot', 'soil'].includes(String(kind))],
  [
    'code may be anything',
    ({ code }) => code !== undefined && !(typeof code === 'string' && /^[A-Z]{3}[0-9]{2}$/.test(code))
  ],
  [
    'email may be anything',
    ({ email }) => email !== undefined && !(typeof email === 'string' && /^[^@\s]+@[^@\s]+$/.test(email))
  ],
  ['note may be anything', ({ note }) => note !== undefined && note !== null && typeof note !== 'string'],
  ['count may be a fraction', ({ count }) => count !== undefined && !isInteger(count)],
  ['count may be negative', ({ count }) => isInteger(count) && count < 0],
  ['count may be beyond int32', ({ count }) => isInteger(count) && count > 2_147_483_647],
  ['tags may be anything', ({ tags }) => tags !== undefined && !Array.isArray(tags)],
  ['tags may be many', ({ tags }) => Array.isArray(tags) && tags.length > 4],
  ['tags may be equal', ({ tags }) => Array.isArray(tags) && new Set(tags.map(written)).size < tags.length],
  [
    'tags may hold anything',
    ({ tags }) => Array.isArray(tags) && tags.some((tag) => typeof tag !== 'string')
  ],
  ['size may be anything', ({ size }) => size !== undefined && !isObject(size)],
  ['size needs no width', ({ size }) => isObject(size) && size['width'] === undefined],
  [
    'width may be anything',
    ({ size }) => isObject(size) && size['width'] !== undefined && !isInteger(size['width'])
  ],
  ['width may be 0', ({ size }) => isObject(size) && isInteger(size['width']) && size['width'] < 1],
  ['width may be large', ({ size }) => isObject(size) && isInteger(size['width']) && size['width'] > 500],
  [
    'depth may be anything',
    ({ size }) =>
      isObject(size) && size['depth'] !== undefined && !['number', 'bigint'].includes(typeof size['depth'])
  ],
  [
    'size may hold more',
    ({ size }) => isObject(size) && Object.keys(size).some((name) => name !== 'width' && name !== 'depth')
  ]
]

export const checkedProperties = checks.map(([defect]) => defect)

function listItems(this: Shop, { query, headers }: Asked, items: Map<string, Item>, has: Has): Given {
  if (hasTwice(query)) throw new Refused(400, 'twice')
  const limit = query.get('limit') ?? '20'
  const isLimit =
    /^-?\d+$/.test(limit) && (has('limit has no bounds') || (Number(limit) >= 1 && Number(limit) <= 100))
  if (!isLimit && !has('limit may be anything')) throw new Refused(400, 'limit')
  if (
    !['plant', 'pot', 'soil', null].includes(query.get('kind')) &&
    !has('kind in the query may be anything')
  )
    throw new Refused(400, 'kind')
  const ids = query.get('ids')?.split(',') ?? []
  if (ids.length > 3 || !ids.every((id) => /^-?\d+$/.test(id) && isInt64(BigInt(id))))
    throw new Refused(400, 'ids')
  const trace = headers['x-trace']
  if (trace !== undefined && !/^[a-f0-9]{8}$/.test(String(trace)) && !has('the header may be anything'))
    throw new Refused(400, 'trace')
  const found = [...items.values()].slice(-3)
  const body = has('a list is an object') ? '{}' : written(found)
  if (has('a required header is missing')) return { status: 200, headers: json, body }
  const total = has('a header is of another type') ? 'many' : String(items.size)
  if (has('the media type is undeclared'))
    return { status: 200, headers: { 'content-type': 'text/plain', 'x-total': total }, body }
  return { status: 200, headers: { ...json, 'x-total': total }, body }
}

const hasTwice = (pairs: URLSearchParams) => [...pairs].length > new Set(pairs.keys()).size

let made = 0
const nextId = (): number => --made

function createItem(this: Shop, asked: Asked, items: Map<string, Item>, has: Has): Given {
  const item = jsonOf(asked, has)
  if (!isObject(item)) throw new Refused(400, 'not an object')
  const text = asked.body
  for (const [defect, isWrong] of checks) if (isWrong(item) && !has(defect)) throw new Refused(400, defect)
  const name = String(item['name'])
  if (has('emoji crash') && /\p{Extended_Pictographic}/u.test(name)) throw new TypeError('latin1')
  if (has('U+0000 crashes') && name.includes('\0')) throw new TypeError('NUL')
  if (has('long texts crash') && String(item['note'] ?? '').length > 5000) throw new TypeError('too long')
  if (has('deep values crash') && /(\[\{"inner":){9}/.test(text)) throw new TypeError('too deep')
  if (has('undeclared properties are refused') && text.includes('undeclared'))
    throw new Refused(400, 'unknown property')
  if (has('2^53 is refused') && typeof item['id'] === 'bigint') throw new Refused(400, 'id')
  if (has('the longest name is refused') && lengthOf(name) === 60) throw new Refused(400, 'name')
  if (has('null is refused') && item['note'] === null) throw new Refused(400, 'note')
  const id = String(item['id'] ?? nextId())
  if (items.has(id)) throw new Refused(409, 'taken')
  if (!has('what is created is lost')) items.set(id, item)
  return created(item, has)
}

function created(item: Item, has: Has): Given {
  const { kind: _kind, ...rest } = item
  const name = String(item['name'])
  const changed = has('a text is cut') ? { ...item, name: name.split('\0')[0]?.slice(0, 20) } : item
  const answer = has('the answer lacks a property')
    ? rest
    : has('the answer has another type')
      ? { ...item, count: 'many' }
      : changed
  const headers = { ...json, location: has('a header does not match') ? 'items' : `/items/${item['id']}` }
  if (has('the answer is empty')) return { status: 201, headers: { location: headers.location } }
  if (has('the answer is not JSON')) return { status: 201, headers, body: 'created' }
  return { status: has('the status is undeclared') ? 202 : 201, headers, body: written(answer) }
}

function idOf({ path }: Asked, has: Has): string {
  const id = path.split('/')[2] ?? ''
  if (!/^-?\d+$/.test(id) || !isInt64(BigInt(id))) {
    if (has('the id in the path may be anything')) return ''
    if (has('a wrong id in the path crashes')) throw new TypeError('id')
    throw new Refused(400, 'id')
  }
  return String(BigInt(id))
}

function getItem(this: Shop, asked: Asked, items: Map<string, Item>, has: Has): Given {
  const id = idOf(asked, has)
  const item = items.get(id)
  if (id === '') return { status: 200, headers: json, body: '{"id":1,"name":"x","kind":"pot"}' }
  if (item === undefined) throw new Refused(404, 'no such item')
  return {
    status: 200,
    headers: json,
    body: written(has('the id of the path comes back rounded') ? { ...item, id: Number(id) } : item)
  }
}

function deleteItem(this: Shop, asked: Asked, items: Map<string, Item>, has: Has): Given {
  if (!items.delete(idOf(asked, has))) throw new Refused(404, 'no such item')
  return has('delete answers 200') ? { status: 200, headers: json, body: '{}' } : { status: 204 }
}

function setPrice(this: Shop, asked: Asked, items: Map<string, Item>, has: Has): Given {
  const id = idOf(asked, has)
  if (hasTwice(asked.query)) throw new Refused(400, 'twice')
  if (
    !['EUR', 'USD'].includes(String(asked.query.get('currency'))) &&
    !has('a required parameter is optional')
  )
    throw new Refused(400, 'currency')
  const body = jsonOf(asked, has)
  if (!isObject(body)) throw new Refused(400, 'not an object')
  if (Object.keys(body).some((name) => name !== 'price') && !has('additional properties are accepted'))
    throw new Refused(400, 'more')
  const price = body['price']
  if (typeof price !== 'number' || price > 1_000_000) throw new Refused(400, 'price')
  if (price <= 0 && !has('an exclusive bound is inclusive')) throw new Refused(400, 'price')
  if (Number(price.toFixed(2)) !== price && !has('multiples are not checked')) throw new Refused(400, 'price')
  if (!items.has(id)) throw new Refused(404, 'no such item')
  return { status: 204 }
}

function addNote(this: Shop, { headers, body }: Asked, _items: Map<string, Item>, has: Has): Given {
  const type = String(headers['content-type'] ?? '').split(';')[0]
  const text = { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } }
  if (type === 'text/plain') {
    if (lengthOf(body) > 2000 && !has('long notes are accepted')) throw new Refused(400, 'too long')
    return { ...text, body: has('the text does not match') ? 'long' : String(body.length) }
  }
  if (type !== 'application/x-www-form-urlencoded') throw new Refused(body === '' ? 400 : 415, 'media type')
  const form = new URLSearchParams(body)
  if (hasTwice(form)) throw new Refused(400, 'twice')
  if (!form.get('title') && !has('a field is optional')) throw new Refused(400, 'title')
  if (!/^[1-5]$/.test(form.get('stars') ?? '') && !has('a field may be anything'))
    throw new Refused(400, 'stars')
  return { ...text, body: String(body.length) }
}

function getStatus(this: Shop, _asked: Asked, _items: Map<string, Item>, has: Has): Given {
  const since = has('a date is not a date') ? 'yesterday' : '2026-01-01T00:00:00Z'
  const more = has('the answer has more properties') ? { more: 1 } : {}
  if (has('every request crashes')) throw new TypeError('always')
  return { status: 200, headers: json, body: JSON.stringify({ status: 'up', since, ...more }) }
}
