/**
 * Servers with one defect: the mock, which reads requests strictly, behind a front. The front changes a request before the
 * mock judges it, as a server that is too generous would read it, or changes the answer.
 */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { compileInMemory, type InMemory } from '../../../src/compiler/compile/in-memory.ts'
import { createMock, type MockOptions } from '../../../src/tools/mock/mock.ts'
import { exactJson, written } from './checked-server.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>
  readonly body: string
}

/** Changes that a defect makes. Where one throws, the server fails. */
export interface Front {
  readonly request?: (asked: Asked) => Asked
  readonly answer?: (answered: Answered, asked: Asked) => Answered
  /** Answers in place of the mock; returns false for a request that the mock answers. */
  readonly instead?: (asked: Asked, response: ServerResponse) => boolean
}

/** Returns a front with the defects of all: each changes the request that the one before it has left. */
export const together = ([first, ...others]: readonly Front[]): Front =>
  others.reduce<Front>(
    (all, { request }) => ({ request: (asked) => request?.(all.request?.(asked) ?? asked) ?? asked }),
    first ?? {}
  )

export const token = 'token-of-the-tests'
export const key = 'key-of-the-tests'
export const bearer = { authorization: `Bearer ${token}` }

interface Mocked {
  readonly compiled: InMemory
  readonly app: Awaited<ReturnType<typeof createMock>>['app']
  readonly resources: NonNullable<MockOptions['resources']>
}
const mocks = new Map<string, Promise<Mocked>>()

/** @param name contract: shop, hostel, desk or depot */
export function mockOf(name: string): Promise<Mocked> {
  const made = mocks.get(name) ?? create(name)
  mocks.set(name, made)
  return made
}

async function create(name: string): Promise<Mocked> {
  const compiled = await compileInMemory(`test/tools/conformance/${name}.yaml`)
  const resources = new Map()
  // The hostel keeps nothing: what was deleted would not be deleted again.
  const { app } = await createMock(compiled, { seed: 1, ...(name !== 'hostel' && { resources }) })
  return { compiled, app, resources }
}

/** The mock accepts every credential: those that a server does not know are left out. */
function known(asked: Asked): Asked {
  const { authorization, 'x-key': sent, ...headers } = asked.headers
  return given(
    { ...asked, headers },
    { ...(authorization === bearer.authorization && bearer), ...(sent === key && { 'x-key': key }) }
  )
}

/** Returns a server of a contract, correct but for the front. */
export async function frontedServer(contract: string, front: Front = {}): Promise<Server> {
  const { request = (asked) => asked, answer = (all) => all, instead = () => false } = front
  const { app, resources } = await mockOf(contract)
  resources.clear()
  const answered = async (asked: Asked): Promise<Answered> => {
    try {
      const { body: payload, method, ...others } = known(request(asked))
      const sent = { ...others, method: method as 'GET', ...(payload !== '' && { payload }) }
      const { statusCode: status, headers, body } = await app.inject(sent)
      return answer({ status, headers: headers as Answered['headers'], body }, asked)
    } catch (error) {
      return { status: 500, headers: { 'content-type': 'text/plain' }, body: String(error) }
    }
  }
  return createServer(async (received, response) => {
    const body = String(Buffer.concat(await Array.fromAsync(received as AsyncIterable<Buffer>)))
    const { 'content-length': _length, ...headers } = received.headers as Record<string, string>
    const asked = { method: String(received.method), url: String(received.url), headers, body }
    if (instead(asked, response)) return
    const made = await answered(asked)
    const { 'content-length': _own, connection: _connection, ...sent } = made.headers
    response.writeHead(made.status, sent as Record<string, string>).end(made.body)
  })
}

export type Members = Readonly<Record<string, unknown>>

/** Reads a JSON body: integers that a double cannot hold are bigints. Anything else than an object has no members. */
export function membersOf(body: string): Members {
  try {
    return Object(exactJson(body))
  } catch {
    return {}
  }
}

/** Changes a request. */
export const reading = (request: NonNullable<Front['request']>): Front => ({ request })
export const given = (asked: Asked, headers: Record<string, string>): Asked => ({
  ...asked,
  headers: { ...asked.headers, ...headers }
})
type Coerce = (value: unknown) => unknown

/** Changes the values at a path of a JSON body: names between slashes, a star for each member of a map; empty for the body. */
export const inBody = (path: string, coerce: Coerce): Front =>
  reading((asked) => {
    try {
      const value = changed(exactJson(asked.body), path.split('/').filter(Boolean), coerce)
      return { ...asked, body: written(value) }
    } catch (error) {
      if (error instanceof SyntaxError) return asked
      throw error
    }
  })

/** Changes the texts, numbers, lists or objects at a path of a JSON body. */
export const inText = (path: string, change: (text: string) => unknown): Front =>
  inBody(path, (value) => (typeof value === 'string' ? change(value) : value))
export const inNumber = (path: string, change: (number: number) => unknown): Front =>
  inBody(path, (value) => (typeof value === 'number' ? change(value) : value))
export const inList = (path: string, change: (list: readonly unknown[]) => unknown): Front =>
  inBody(path, (value) => (Array.isArray(value) ? change(value) : value))
export const inObject = (path: string, change: (object: Members) => unknown): Front =>
  inBody(path, (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value as Members) : value
  )

function changed(value: unknown, [name, ...rest]: readonly string[], coerce: Coerce): unknown {
  if (name === undefined) return coerce(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => changed(item, rest, coerce))
  const entries = Object.entries(value).map(([own, member]) => [
    own,
    own === name || name === '*' ? changed(member, rest, coerce) : member
  ])
  return Object.fromEntries(entries)
}

export const inUrl = (change: (url: string) => string): Front =>
  reading((asked) => ({ ...asked, url: change(asked.url) }))

type CoerceText = (text: string) => string

/** Changes the value of a parameter of the query. */
export const inQuery = (name: string, coerce: CoerceText): Front =>
  inUrl((url) => {
    const [path = '', query = ''] = url.split('?', 2)
    return query === '' ? path : `${path}?${inPairs(query, name, coerce)}`
  })

export const inForm = (name: string, coerce: CoerceText): Front =>
  reading((asked) => ({ ...asked, body: inPairs(asked.body, name, coerce) }))

const inPairs = (text: string, name: string, coerce: CoerceText): string =>
  text
    .split('&')
    .map((pair) => {
      const [own = '', value] = pair.split('=')
      if (value === undefined || decodeURIComponent(own) !== name) return pair
      try {
        const text = coerce(decodeURIComponent(value.replaceAll('+', ' ')))
        return `${own}=${encodeURIComponent(text).replaceAll('%2C', ',')}`
      } catch (error) {
        if (error instanceof URIError) return pair
        throw error
      }
    })
    .join('&')

export const inHeader = (name: string, coerce: CoerceText): Front =>
  reading((asked) => {
    const own = asked.headers[name]
    return own === undefined ? asked : { ...asked, headers: { ...asked.headers, [name]: coerce(own) } }
  })

/** Returns the answer that refuses a request. */
export const refused = (status: number): Answered => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: '{}'
})

/** Fails for some requests before it reads them. */
export const failing = (isHit: (asked: Asked) => boolean): Front =>
  reading((asked) => {
    if (isHit(asked)) throw new TypeError('a defect')
    return asked
  })

/** Fails for some of the requests that are valid. */
export const crashing = (isHit: (asked: Asked) => boolean): Front => ({
  answer(all, asked) {
    if (all.status < 300 && isHit(asked)) throw new TypeError('a defect')
    return all
  }
})

/** Refuses some of the requests that are valid. */
export const refusing = (isRefused: (asked: Asked) => boolean, status = 400): Front => ({
  answer: (all, asked) => (all.status < 300 && isRefused(asked) ? refused(status) : all)
})

type Change<T> = (value: T) => Partial<T> | T

/** Changes the answers with a status, or 2xx for 2. */
export const answered = (status: number, change: Change<Answered>): Front => ({
  answer: (all) =>
    [all.status, Math.trunc(all.status / 100)].includes(status) ? { ...all, ...change(all) } : all
})
export const withBody = (status: number, change: (body: Members) => unknown): Front =>
  answered(status, ({ body }) => ({ body: written(change(membersOf(body))) }))
export const withHeaders = (status: number, change: Change<Answered['headers']>): Front =>
  answered(status, ({ headers }) => ({ headers: change(headers) as Answered['headers'] }))

interface Part {
  readonly name: string
  readonly text: string
}

/** Changes the parts of a multipart form; each text begins with the headers of its part. */
export const inParts = (change: (parts: readonly Part[]) => readonly Part[]): Front =>
  reading((asked) => {
    const [, boundary] = /boundary="?([^";]+)/.exec(String(asked.headers['content-type'])) ?? []
    if (boundary === undefined) return asked
    const [, ...texts] = asked.body.split(`--${boundary}\r\n`)
    const parts = texts.map((text) => ({
      name: /\bname="([^"]*)"/.exec(text)?.[1] ?? '',
      text: text.replace(`--${boundary}--\r\n`, '')
    }))
    const body = change(parts).map(({ text }) => `--${boundary}\r\n${text}`)
    return { ...asked, body: `${body.join('')}--${boundary}--\r\n` }
  })
