/**
 * Servers of the hostel: the mock, which reads requests strictly, behind a front that has one defect. It changes a request
 * before the mock judges it, as a generous server would read it, or changes the answer.
 */
import { createServer, type Server } from 'node:http'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { createMock } from '../../../src/tools/mock/mock.ts'

export const hostel = await compileInMemory('test/tools/conformance/hostel.yaml')

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>
  readonly body: string
}

/** Changes that a defect makes to a request, or to the answer of a request. Both may throw: the server fails. */
export interface Front {
  readonly request?: (asked: Asked) => Asked
  readonly answer?: (answered: Answered, asked: Asked) => Answered
}

export async function hostelServer({ request = (asked) => asked, answer = (all) => all }: Front) {
  const { app } = await createMock(hostel, { seed: 1 })
  const front = async (asked: Asked): Promise<Answered> => {
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
    const made = await front({ method: String(received.method), url: String(received.url), headers, body })
    const { 'content-length': _own, connection: _connection, ...sent } = made.headers
    response.writeHead(made.status, sent as Record<string, string>).end(made.body)
  })
  server.on('close', () => app.close())
  return server
}

type Reader = NonNullable<Front['request']>
type Coerce = (value: unknown) => unknown

/** Changes the values at a path of a JSON body: names between slashes, a star for each member of a map. */
export const inBody =
  (path: string, coerce: Coerce): Reader =>
  (asked) => {
    try {
      return { ...asked, body: JSON.stringify(changed(JSON.parse(asked.body), path.split('/'), coerce)) }
    } catch (error) {
      if (error instanceof SyntaxError) return asked
      throw error
    }
  }

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

/** Changes the value of a parameter of the query, also of a field of a form. */
export const inQuery =
  (name: string, coerce: (text: string) => string): Reader =>
  (asked) => {
    const [path = '', query = ''] = asked.url.split('?', 2)
    return { ...asked, url: query === '' ? path : `${path}?${inPairs(query, name, coerce)}` }
  }

export const inForm =
  (name: string, coerce: (text: string) => string): Reader =>
  (asked) => ({ ...asked, body: inPairs(asked.body, name, coerce) })

const inPairs = (text: string, name: string, coerce: (text: string) => string): string =>
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

export const inHeader =
  (name: string, coerce: (text: string) => string): Reader =>
  (asked) => {
    const own = asked.headers[name]
    return own === undefined ? asked : { ...asked, headers: { ...asked.headers, [name]: coerce(own) } }
  }
