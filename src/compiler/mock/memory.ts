/** Resources that requests have made, by path: what a client has sent is what later requests get. */
import { FailureError } from '@contract-first/engine/errors'
import type { Operation } from '@contract-first/engine/model'
import type { MockResponse } from './operation-mock.ts'

/** A request whose body is read. */
export interface Sent {
  /** Path with its base, as sent. */
  readonly path: string
  readonly body?: unknown
}

type Members = Readonly<Record<string, unknown>>

/** Resources by path; `gone` for one that was deleted. */
export type Resources = Map<string, unknown>
const gone = Symbol('gone')

export class Memory {
  readonly #resources: Resources
  /** Operations on one thing of a list, by the path of the list in the contract. */
  readonly #items = new Map<string, string>()

  /** @param resources outlive the contract that is served, until the mock ends */
  constructor(operations: readonly Operation[], resources: Resources) {
    this.#resources = resources
    for (const { path } of operations) {
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
    const known = this.#resources.get(sent.path)
    if (known === gone && operation.method !== 'PUT') throw new FailureError('not-found')
    if (answer.status >= 300) return answer
    if (operation.method === 'GET') return this.#read(operation, sent, answer)
    if (operation.method === 'POST') return this.#create(operation, sent, answer)
    if (operation.method === 'DELETE') this.#remove(sent.path)
    if (operation.method === 'PUT') return this.#keep(sent.path, merged(answer, sent.body))
    if (operation.method !== 'PATCH') return answer
    const base = { ...answer, body: known ?? answer.body }
    return this.#keep(sent.path, merged(base, sent.body, takesMergePatch(operation) ? isNull : isRefusedNull))
  }

  #read({ path }: Operation, sent: Sent, answer: MockResponse): MockResponse {
    const known = this.#resources.get(sent.path)
    if (known !== undefined) return withBody(answer, known)
    return this.#items.has(path) ? this.#list(sent.path, answer) : answer
  }

  /** Puts the known things of a list into the answer: as a whole, or as its one member that is a list. */
  #list(path: string, answer: MockResponse): MockResponse {
    const prefix = `${path}/`
    const below = [...this.#resources].filter(
      ([each]) => each.startsWith(prefix) && !each.slice(prefix.length).includes('/')
    )
    if (below.length === 0) return answer
    const things = below.map(([, thing]) => thing).filter((thing) => thing !== gone)
    if (Array.isArray(answer.body)) return withBody(answer, things)
    const names = Object.entries(Object(answer.body)).filter(([, member]) => Array.isArray(member))
    const [name, ...others] = names.map(([each]) => each)
    return name === undefined || others.length > 0
      ? answer
      : withBody(answer, { ...Object(answer.body), [name]: things })
  }

  #create({ path }: Operation, sent: Sent, answer: MockResponse): MockResponse {
    const echo = merged(answer, sent.body)
    const name = this.#items.get(path)
    if (name === undefined || !isMembers(echo.body ?? sent.body)) return echo
    const thing = (echo.body ?? sent.body) as Members
    const key = [name, 'id'].find((each) => thing[each] !== undefined)
    if (key === undefined) return echo
    const isSent = isMembers(sent.body) && sent.body[key] !== undefined
    const made = isSent ? echo : this.#unused(sent.path, key, echo)
    const own = (made.body ?? sent.body) as Members
    const place = `${sent.path}/${encodeURIComponent(String(own[key]))}`
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

  #keep(path: string, answer: MockResponse): MockResponse {
    this.#resources.set(path, answer.body)
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

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

/** Returns the answer with another body, where the contract accepts it. */
function withBody(answer: MockResponse, body: unknown): MockResponse {
  return answer.accepts?.(body) === true ? { ...answer, body } : answer
}

type IsRemoved = (value: unknown, isAccepted: () => boolean) => boolean
const isNull: IsRemoved = (value) => value === null
/** Outside of a merge patch, a null that the contract accepts is a value. */
const isRefusedNull: IsRemoved = (value, isAccepted) => value === null && !isAccepted()

const takesMergePatch = ({ requestBody }: Operation): boolean =>
  requestBody?.content.some(({ mediaType }) => mediaType.startsWith('application/merge-patch+json')) === true

/**
 * Puts what was sent into the body of an answer: as a whole, otherwise each member that the contract accepts there.
 * @param isRemoved decides which members of a merge patch remove one (RFC 7396)
 */
function merged(answer: MockResponse, sent: unknown, isRemoved: IsRemoved = () => false): MockResponse {
  if (!isMembers(sent) || !isMembers(answer.body)) return withBody(answer, sent)
  let result = answer
  for (const [name, value] of Object.entries(sent)) {
    const { [name]: _before, ...others } = result.body as Record<string, unknown>
    const whole = { ...others, [name]: value }
    const isAccepted = () => result.accepts?.(whole) === true
    result = withBody(result, isRemoved(value, isAccepted) ? others : whole)
  }
  return result
}
