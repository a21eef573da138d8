/**
 * Resources that requests have made, by path: what a client has sent is what later requests get; and the pages of lists.
 */
import { randomUUID } from 'node:crypto'
import { FailureError } from '@contract-first/engine/errors'
import type { Operation } from '@contract-first/engine/model'
import { isUndeclared, shownParts } from '../../compiler/compile/shapes/serializers.ts'
import type { MockResponse } from './operation-mock.ts'

/** A request whose body is read. */
interface Sent {
  /** Path with its base, as sent. */
  readonly path: string
  readonly params?: Members
  readonly query?: Members
  readonly body?: unknown
}

/** Resources by path; `gone` for one that was deleted. */
export type Resources = Map<string, unknown>
const gone = Symbol('gone')

/** Returns the name of the parameter that ends a path: that of one thing of a list. */
const lastParameter = (path: string): string | undefined => /\{([^{}/]+)\}$/.exec(path)?.[1]

export class Memory {
  readonly #resources: Resources
  readonly #declaredOnly = shownParts(isUndeclared)
  /** Operations on one thing of a list, by the path of the list in the contract. */
  readonly #items = new Map<string, string>()
  /** Paths of the contract below which POST keeps what is sent. */
  readonly #lists = new Set<string>()

  /** @param resources outlive the contract that is served, until the mock ends */
  constructor(operations: readonly Operation[], resources: Resources) {
    this.#resources = resources
    for (const { method, path } of operations) {
      if (method === 'POST' && !path.endsWith('}')) this.#lists.add(path)
      const [, list, name] = /^(.+)\/\{([^{}/]+)\}$/.exec(path) ?? []
      if (list !== undefined && name !== undefined) this.#items.set(list, name)
    }
  }

  /**
   * Returns the answer with what was sent before.
   * @param answer the answer without memory
   * @throws {FailureError} `not-found` for what was deleted
   */
  answer(operation: Operation, sent: Sent, answer: MockResponse): MockResponse {
    const found = this.#enveloped(operation, { ...sent, body: withoutFiles(sent.body) }, answer)
    if (found.body === answer.body || answer.schema === undefined) return found
    return { ...found, body: this.#declaredOnly(found.body, answer.schema) }
  }

  #enveloped(operation: Operation, sent: Sent, answer: MockResponse): MockResponse {
    const whole = answer.body
    const name = this.#envelopeOf(operation, whole)
    if (name === undefined || !isMembers(whole)) return this.#answer(operation, sent, answer)
    const wrapped = (body: unknown) => ({ ...whole, [name]: body })
    const accepts = (body: unknown) => answer.accepts?.(wrapped(body)) === true
    const body = isMembers(sent.body) && isMembers(sent.body[name]) ? sent.body[name] : sent.body
    const found = this.#answer(operation, { ...sent, body }, { ...answer, body: whole[name], accepts })
    return { ...found, body: wrapped(found.body) }
  }

  /**
   * Returns the name of the only member that is a thing, as in `{ "data": { "id": 1 } }`, of an answer that is none itself: it
   * has no more plain members than the thing has.
   */
  #envelopeOf({ method, path }: Operation, body: unknown): string | undefined {
    const key = method === 'POST' ? this.#items.get(path) : lastParameter(path)
    const isThing = (value: unknown) =>
      isMembers(value) && [key ?? 'id', 'id'].some((name) => Object.hasOwn(value, name))
    if (!isMembers(body) || isThing(body) || (method !== 'POST' && key === undefined)) return undefined
    const [name, ...others] = Object.keys(body).filter((each) => isThing(body[each]))
    const plain = Object.values(body).filter((member) => typeof member !== 'object')
    const size = Object.keys(Object(body[name ?? ''])).length
    return others.length === 0 && plain.length <= size ? name : undefined
  }

  #answer(operation: Operation, sent: Sent, made: MockResponse): MockResponse {
    const known = this.#resources.get(sent.path)
    if (known === gone && operation.method !== 'PUT')
      throw new FailureError('not-found', { message: `${sent.path} was deleted` })
    if (made.status >= 300) return made
    const name = lastParameter(operation.path)
    const ids = name === undefined ? [] : [name, 'id']
    const answer = name === undefined ? made : withId(made, ids, sent.params?.[name])
    if (operation.method === 'GET') return this.#read(operation, sent, answer, ids)
    if (operation.method === 'POST') return this.#create(operation, sent, answer)
    if (operation.method === 'DELETE') this.#remove(sent.path)
    if (operation.method === 'PUT') return this.#replace(sent, withoutOthers(answer, sent.body, ids))
    if (operation.method !== 'PATCH') return answer
    const hasBody = answer.body !== undefined
    const base = { ...answer, body: known ?? answer.body, ...(!hasBody && { accepts: () => true }) }
    const changed = merged(base, sent.body, takesMergePatch(operation) ? 'every null' : 'a refused null')
    this.#resources.set(sent.path, changed.body)
    return hasBody ? changed : answer
  }

  #read({ path }: Operation, sent: Sent, answer: MockResponse, ids: readonly string[]): MockResponse {
    const known = this.#resources.get(sent.path)
    if (known !== undefined) return withoutOthers(answer, known, ids)
    if (this.#lists.has(path) || this.#items.has(path)) return this.#list(sent, answer)
    return path.endsWith('}') ? answer : withPaging(answer)
  }

  /** Puts the known things of a list into the answer: as a whole, or as its one member that is a list, and counts them. */
  #list({ path, query }: Sent, answer: MockResponse): MockResponse {
    const prefix = `${path}/`
    const below = [...this.#resources].filter(
      ([each]) => each.startsWith(prefix) && !each.slice(prefix.length).includes('/')
    )
    if (below.length === 0) return withPaging(answer)
    const things = below.map(([, thing]) => thing).filter((thing) => thing !== gone)
    const { body } = answer
    const members: readonly Named[] = Array.isArray(body) ? [['', body]] : Object.entries(Object(body))
    const [list, ...others] = members.filter(hasList)
    if (list === undefined || others.length > 0) return withPaging(answer)
    const [name, [template]] = list
    const listOf = (items: readonly unknown[]) =>
      Array.isArray(body) ? items : { ...Object(body), [name]: items }
    // Items of a list may lack members of a thing, or have others.
    const accepts = (item: unknown) => answer.accepts?.(listOf([item])) === true
    const { start, end } = pageOf(query)
    const items = things
      .slice(start, end)
      .map((thing) => withoutOthers({ ...answer, body: template, accepts }, thing).body)
    return withPaging(withBody(answer, listOf(items)), { count: things.length, isLast: end >= things.length })
  }

  #create({ path }: Operation, sent: Sent, answer: MockResponse): MockResponse {
    const name = this.#items.get(path)
    const names = [name, 'id'].filter((each) => each !== undefined)
    const echo = withoutOthers(answer, sent.body, names)
    const thing = echo.body ?? sent.body
    if (!this.#lists.has(path) || !isMembers(thing)) return echo
    const key = names.find((each) => thing[each] !== undefined)
    if (key === undefined && name !== undefined) return echo
    const isSent = isMembers(sent.body) && key !== undefined && sent.body[key] !== undefined
    const made = isSent || key === undefined ? echo : this.#unused(sent.path, key, echo)
    const own = (made.body ?? sent.body) as Members
    const place = `${sent.path}/${encodeURIComponent(String(key === undefined ? randomUUID() : own[key]))}`
    this.#resources.set(place, own)
    const { location } = made.headers
    return location === undefined ? made : { ...made, headers: { ...made.headers, location: place } }
  }

  /** Gives a thing an id that no other one has: equal seeds make equal ones. */
  #unused(path: string, key: string, answer: MockResponse): MockResponse {
    const isFree = (id: unknown) => !this.#resources.has(`${path}/${encodeURIComponent(String(id))}`)
    const body = answer.body as Members
    for (const id of idsFrom(body[key])) {
      const next = withBody(answer, { ...body, [key]: id })
      if (isFree(id) && (next.body as Members)[key] === id) return next
    }
    return answer
  }

  #replace({ path, body }: Sent, answer: MockResponse): MockResponse {
    this.#resources.set(path, answer.body ?? body)
    return answer
  }

  #remove(path: string): void {
    for (const each of this.#resources.keys()) if (each.startsWith(`${path}/`)) this.#resources.delete(each)
    this.#resources.set(path, gone)
  }
}

const maxIds = 10_000

/** Yields the id, and others that resemble it. */
function* idsFrom(id: unknown): Generator<unknown> {
  yield id
  for (let count = 1; count < maxIds; count++) {
    if (typeof id === 'number') yield id + count
    else if (typeof id === 'bigint') yield id + BigInt(count)
    else {
      yield `${String(id).slice(0, -12)}${count.toString(16).padStart(12, '0')}`
      yield `${id}-${count}`
    }
  }
}

type Named = readonly [name: string, value: unknown]
const hasList = (member: Named): member is readonly [string, readonly unknown[]] => Array.isArray(member[1])

/** Returns the value without files: bytes, streams and lists of them, which are no JSON. */
function withoutFiles(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.some(isFile) ? undefined : value.map(withoutFiles)
  if (isFile(value)) return undefined
  const entries = Object.entries(value).map(([name, member]) => [name, withoutFiles(member)] as const)
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined))
}

const isFile = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ![null, Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))

/** Returns the answer with another body, where the contract accepts it. */
function withBody(answer: MockResponse, body: unknown): MockResponse {
  return answer.accepts?.(body) === true ? { ...answer, body } : answer
}

/** Gives an invented thing the id of its path, where the contract accepts it. */
function withId(answer: MockResponse, names: readonly string[], id: unknown): MockResponse {
  const { body } = answer
  const name = isMembers(body) ? names.find((each) => Object.hasOwn(body, each)) : undefined
  if (!isMembers(body) || name === undefined) return answer
  const found = [id, String(id), Number(id)]
    .map((each) => withBody(answer, { ...body, [name]: each }))
    .find((each) => each !== answer)
  return found ?? answer
}

const withPaging = (answer: MockResponse, list?: List): MockResponse => ({
  ...answer,
  body: pagedBody(answer, list)
})

const takesMergePatch = ({ requestBody }: Operation): boolean =>
  requestBody?.content.some(({ mediaType }) => mediaType.startsWith('application/merge-patch+json')) === true

/**
 * Puts what was sent into the body of an answer: as a whole, otherwise each member that the contract accepts there.
 * @param removing values that remove a member: each null in a merge patch (RFC 7396), and elsewhere in a patch one that the
 *   contract refuses
 */
function merged(
  answer: MockResponse,
  sent: unknown,
  removing?: 'every null' | 'a refused null'
): MockResponse {
  if (sent === undefined) return answer
  if (!isMembers(sent) || !isMembers(answer.body)) return withBody(answer, sent)
  let result = answer
  for (const [name, value] of Object.entries(sent)) {
    const { [name]: _before, ...others } = result.body as Record<string, unknown>
    const whole = { ...others, [name]: value }
    const isValue = value !== null || removing === undefined
    const isRemoved = !isValue && (removing === 'every null' || result.accepts?.(whole) !== true)
    result = withBody(result, isRemoved ? others : whole)
  }
  return result
}

/**
 * Puts what was sent into the body of an answer, without further members that the contract does not require.
 * @param kept names of members that stay
 */
function withoutOthers(answer: MockResponse, sent: unknown, kept: readonly string[] = []): MockResponse {
  let result = merged(answer, sent)
  if (!isMembers(sent) || !isMembers(result.body)) return result
  for (const name of Object.keys(result.body)) {
    const { [name]: _made, ...others } = result.body as Members
    if (!Object.hasOwn(sent, name) && !kept.includes(name)) result = withBody(result, others)
  }
  return result
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

interface List {
  /** Number of all items; undefined where it is not known. */
  readonly count?: number
  readonly isLast: boolean
}

type Paged = Pick<MockResponse, 'body' | 'accepts'>

/** Names of members that count the items of a list. */
const isCount = /^(count|size|length)$|total|count$/i

/** Names of members that are null, absent or false on the last page of a list. */
const isNext =
  /^next([-_]?(page|cursor|token|link|ur[il]|href|offset|marker|key))*$|^has[-_]?(more|next([-_]?page)?)$/i

/**
 * Returns the body with the number of items, and without a next page after the last one, where the contract accepts it;
 * also in objects beside the items.
 */
function pagedBody({ body, accepts = () => false }: Paged, list: List = { isLast: true }): unknown {
  if (!isMembers(body)) return body
  let result = body
  for (const [name, member] of Object.entries(body)) {
    const whole = result
    const { [name]: _member, ...others } = whole
    const put = (value: unknown) => (value === undefined ? others : { ...whole, [name]: value })
    const inner = { body: member, accepts: (value: unknown) => accepts(put(value)) }
    result = valuesFor(name, inner, list).map(put).find(accepts) ?? result
  }
  return result
}

/** Returns the values that a member may have, the best one first; undefined for an absent member. */
function valuesFor(name: string, inner: Paged, list: List): readonly unknown[] {
  const { body } = inner
  if (isNext.test(name) && typeof body === 'boolean') return [!list.isLast]
  if (isNext.test(name)) return list.isLast ? [null, undefined] : []
  if (isCount.test(name) && typeof body === 'number') return [list.count ?? body]
  return isMembers(body) ? [pagedBody(inner, list)] : []
}

/** Most items of a page, by the names of common parameters. */
const isSize = /^(limit|size|(page|max)[-_]?(size|results|items)|per[-_]?page)$/i

/**
 * Returns the positions of the first item and behind the last one of the page that a query asks for, by its first item or
 * its number; those of all items for other queries.
 */
function pageOf(query: Members = {}): { readonly start: number; readonly end: number } {
  const given = (names: RegExp) => {
    const [, value] = Object.entries(query).find(([name]) => names.test(name)) ?? []
    const number = typeof value === 'object' ? Number.NaN : Number(value)
    return number >= 0 ? number : undefined
  }
  const size = given(isSize) ?? Number.MAX_SAFE_INTEGER
  const page = given(/^page([-_]?number)?$/i)
  const start = given(/^(offset|skip)$/i) ?? (page === undefined ? undefined : Math.max(0, page - 1) * size)
  return start === undefined ? { start: 0, end: Number.MAX_SAFE_INTEGER } : { start, end: start + size }
}
