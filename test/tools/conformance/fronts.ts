/**
 * Servers with one defect: the mock, which reads requests strictly, behind a front. The front changes a request before the
 * mock judges it, as a server that is too generous would read it, or changes the answer.
 */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { InMemory } from '../../../src/compiler/compile/in-memory.ts'
import type { Check } from '../../../src/tools/conformance/conformance.ts'
import { createMock, type MockOptions } from '../../../src/tools/mock/mock.ts'
import { exactJson, written } from './exact-json.ts'

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

/** A defect, and the finding that shows it. */
export type Defect = readonly [defect: string, front: Front, check: Check, operation: string, message: RegExp]

export async function frontedServer(
  compiled: InMemory,
  front: Front,
  options: Partial<MockOptions> = {}
): Promise<Server> {
  const { request = (asked) => asked, answer = (all) => all, instead = () => false } = front
  const { app } = await createMock(compiled, { seed: 1, ...options })
  const answered = async (asked: Asked): Promise<Answered> => {
    try {
      const { body: payload, method, ...others } = request(asked)
      const made = await app.inject({
        ...others,
        method: method as 'GET',
        ...(payload !== '' && { payload })
      })
      const { statusCode: status, headers, body } = made
      return answer({ status, headers: headers as Answered['headers'], body }, asked)
    } catch (error) {
      return { status: 500, headers: { 'content-type': 'text/plain' }, body: String(error) }
    }
  }
  const server: Server = createServer(async (received, response) => {
    const body = String(Buffer.concat(await Array.fromAsync(received as AsyncIterable<Buffer>)))
    const { 'content-length': _length, ...headers } = received.headers as Record<string, string>
    const asked = { method: String(received.method), url: String(received.url), headers, body }
    if (instead(asked, response)) return
    const made = await answered(asked)
    const { 'content-length': _own, connection: _connection, ...sent } = made.headers
    response.writeHead(made.status, sent as Record<string, string>).end(made.body)
  })
  server.on('close', () => app.close())
  return server
}

/** Changes a request. */
export const reading = (request: NonNullable<Front['request']>): Front => ({ request })
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

/** Fails for some requests. */
export const failing = (isHit: (asked: Asked) => boolean): Front =>
  reading((asked) => {
    if (isHit(asked)) throw new TypeError('a defect')
    return asked
  })
