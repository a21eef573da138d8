/**
 * Correct servers of desk.yaml and depot.yaml that are independent of the engine: the contract says what is read, Ajv
 * validates it, and handlers by operationId keep what is sent.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { load } from 'js-yaml'
import { exactJson, written } from './checked-server.ts'
import { bearer } from './fronts.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents and values as they were read
type Any = any

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An operation as a handler gets it: the text of its body, and what was read. */
export interface Call {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly params?: Readonly<Record<string, Any>>
  readonly body?: Any
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** True for a body that is the beginning of a stream without end. */
  readonly isOpen?: boolean
}

export type Service = Readonly<Record<string, (call: Call) => Answer>>

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
const refuse = (status: number, message: string): never => {
  throw new Refused(status, message)
}

export const jsonAnswer = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: written(value)
})
export const isAuthorized = ({ authorization }: IncomingHttpHeaders): boolean =>
  authorization === bearer.authorization

export const isNumber = (text: unknown): boolean =>
  typeof text === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
const isInt64 = (text: string): boolean =>
  /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Runs what a client may have written wrong. */
function attempt<T>(read: () => T, what: string): T {
  try {
    return read()
  } catch {
    return refuse(400, `malformed ${what}`)
  }
}

/**
 * Returns what answers a request.
 * @param name contract: desk or depot
 */
export function correctServer(name: keyof typeof services): (asked: Asked) => Promise<Answer> {
  const text = readFileSync(`${import.meta.dirname}/${name}.yaml`, 'utf8')
  // References lead to the schema that Ajv knows by this name.
  const document: Any = load(text.replaceAll("'#/components", "'contract#/components"))
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'contract', components: document.components })
  const resolved = (value: Any): Any =>
    typeof value?.$ref === 'string'
      ? value.$ref
          .split('/')
          .slice(1)
          .reduce((found: Any, key: string) => found[key], document)
      : value
  const check = (schema: Any, value: unknown, what: string) => {
    const validate = ajv.compile(schema)
    if (!validate(value)) refuse(400, `${what}: ${ajv.errorsText(validate.errors)}`)
  }
  const service: Service = services[name]()
  const { pathname: base } = new URL(document.servers[0].url, 'http://x')

  /** Returns the path item of a path, and the texts of its parameters. */
  function route(path: string): [item: Any, texts: Record<string, string>] {
    for (const [template, item] of Object.entries<Any>(document.paths)) {
      const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
      const found = new RegExp(`^${base.replace(/\/$/, '')}${pattern}$`).exec(path)
      if (found !== null) return [item, { ...found.groups }]
    }
    return refuse(404, 'no such path')
  }

  /** Converts a text by the types that JSON has. */
  const converted = (schema: Any, text: string): unknown =>
    ['integer', 'number'].includes(resolved(schema)?.type) && isNumber(text) ? Number(text) : text

  function parameter(spec: Any, { headers, url }: Asked, texts: Record<string, string>): unknown {
    const { name, in: place, style, explode = true, content } = spec
    const schema = content?.['application/json'].schema ?? resolved(spec.schema)
    const query = new URL(url, 'http://x').searchParams
    if (style === 'deepObject') return deepObject(name, schema, query)
    const cookies = String(headers.cookie ?? '').split('; ')
    const all: (string | undefined)[] = {
      path: () => [attempt(() => decodeURIComponent(texts[name] ?? ''), name)],
      header: () => [headers[name.toLowerCase()]].flat(),
      cookie: () => [cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)],
      query: () => query.getAll(name)
    }[place as 'path']()
    const isList = schema.type === 'array'
    if (isList && place === 'query' && explode)
      return all.length === 0 ? undefined : all.map((text) => converted(schema.items, text ?? ''))
    if (all.length > 1) refuse(400, `${name} twice`)
    const [text] = all
    if (text === undefined) return undefined
    if (content !== undefined) return attempt(() => JSON.parse(text), name)
    if (!isList) return converted(schema, text)
    const items = text === '' ? [] : text.split(style === 'pipeDelimited' ? '|' : ',')
    return items.map((item) => converted(schema.items, item))
  }

  function deepObject(name: string, schema: Any, query: URLSearchParams): unknown {
    const value: Record<string, unknown> = {}
    for (const [key, text] of query) {
      const [, of, property = ''] = /^([^[]+)\[([^\]]*)\]$/.exec(key) ?? []
      if (of !== name) continue
      if (Object.hasOwn(value, property)) refuse(400, `${key} twice`)
      value[property] = converted(schema.properties[property], text)
    }
    return Object.keys(value).length === 0 ? undefined : value
  }

  async function readBody({ required, content }: Any, { headers, body }: Asked): Promise<unknown> {
    const sent = String(headers['content-type'] ?? '')
    if (sent === '' && body.length === 0) return required ? refuse(400, 'a body is required') : undefined
    const type = String(sent.split(';')[0]).trim().toLowerCase()
    const schema = (content[type] ?? refuse(415, `not ${Object.keys(content)}`)).schema
    const text = String(body)
    let value: unknown = text
    if (type === 'multipart/form-data') {
      const form = new Response(body as Any, { headers: { 'content-type': sent } }).formData()
      value = fields(schema, [...(await form.catch(() => refuse(400, 'malformed form')))])
    } else if (type.endsWith('urlencoded')) value = fields(schema, [...new URLSearchParams(text)])
    else if (type.endsWith('json')) value = attempt(() => JSON.parse(text), 'JSON')
    check(schema, value, 'body')
    return value
  }

  /** Returns the fields of a form by their schemas. */
  function fields(reference: Any, entries: readonly (readonly [string, string | File])[]): object {
    const { properties } = resolved(reference)
    const value: Record<string, unknown> = {}
    for (const [name, given] of entries) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : {}
      const { type, contentMediaType, maxLength } = schema
      const isFile = contentMediaType !== undefined
      if (isFile !== given instanceof File && Object.hasOwn(properties, name))
        refuse(400, `${name} is not a file`)
      const text = given instanceof File ? '' : given
      if (given instanceof File && given.size > maxLength) refuse(400, `${name} is too large`)
      if (type === 'array') value[name] = [...((value[name] as unknown[]) ?? []), text]
      else if (Object.hasOwn(value, name)) refuse(400, `${name} twice`)
      else value[name] = type === 'object' ? attempt(() => JSON.parse(text), name) : converted(schema, text)
    }
    return value
  }

  return async (asked) => {
    try {
      const [item, texts] = route(new URL(asked.url, 'http://x').pathname)
      const operation = item[asked.method.toLowerCase()]
      const methods = Object.keys(item).filter((name) => name !== 'parameters')
      if (operation === undefined)
        return jsonAnswer(405, { message: 'no' }, { allow: methods.join(', ').toUpperCase() })
      const security = operation.security ?? document.security ?? []
      if (security.length > 0 && !isAuthorized(asked.headers)) refuse(401, 'who?')
      const params: Record<string, unknown> = {}
      for (const spec of [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved)) {
        const value = parameter(spec, asked, texts)
        if (value === undefined && spec.required) refuse(400, `${spec.name} is required`)
        if (value !== undefined)
          check(spec.schema ?? spec.content['application/json'].schema, value, spec.name)
        params[spec.name] = value
      }
      const body = operation.requestBody && (await readBody(operation.requestBody, asked))
      const { url, headers } = asked
      const call = { url, headers, text: String(asked.body), params, body }
      return service[operation.operationId]?.(call) ?? refuse(404, 'no handler')
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const body = { message: error.message, title: error.message }
      const type = name === 'depot' ? { 'content-type': 'application/problem+json' } : {}
      return jsonAnswer(error.status, body, type)
    }
  }
}

type Ticket = Readonly<Record<string, unknown>>

/**
 * Handlers of the desk, also behind validators of other projects: they only keep tickets, and check what a validator that
 * reads numbers as doubles cannot, the bounds of int64.
 */
export function ticketService(): Service {
  const tickets = new Map<string, Ticket>()
  const refusal = (status: number, message: string) => jsonAnswer(status, { message })
  const known = (url: string, handle: (id: string, ticket: Ticket) => Answer): Answer => {
    const text = decodeURIComponent(new URL(url, 'http://x').pathname.split('/')[2] ?? '')
    if (!isInt64(text)) return refusal(400, 'ticketId is beyond int64')
    const id = String(BigInt(text))
    const ticket = tickets.get(id)
    return ticket === undefined ? refusal(404, 'no such ticket') : handle(id, ticket)
  }
  const exact = (text: string, handle: (value: Ticket) => Answer): Answer => {
    const value = Object(exactJson(text)) as Ticket
    const { id = 0, serial = 0 } = value
    const isBeyond = [id, serial].some((number) => !isInt64(String(BigInt(number as number))))
    return isBeyond ? refusal(400, 'beyond int64') : handle(value)
  }
  const keep = (id: string, ticket: Ticket, status = 200): Answer => {
    tickets.set(id, ticket)
    return jsonAnswer(status, ticket)
  }
  return {
    listTickets({ url, headers: { accept = '*/*' } }) {
      const after = new URL(url, 'http://x').searchParams.get('after')
      if (after !== null && !isInt64(after)) return refusal(400, 'after is beyond int64')
      if (accept.includes('text/csv'))
        return { status: 200, headers: { 'content-type': 'text/csv' }, body: 'id,title\r\n' }
      if (!/\*\/\*|json/.test(accept)) return refusal(406, 'csv or json')
      return jsonAnswer(200, [...tickets.values()].slice(-3))
    },
    createTicket: ({ text }) =>
      exact(text, (ticket) => {
        const id = String(BigInt(ticket['id'] as number))
        return tickets.has(id) ? refusal(409, 'taken') : keep(id, ticket, 201)
      }),
    getTicket: ({ url }) => known(url, (_id, ticket) => jsonAnswer(200, ticket)),
    replaceTicket: ({ url, text }) =>
      exact(text, (fields) => known(url, (id, ticket) => keep(id, { ...fields, id: ticket['id'] }))),
    changeTicket: ({ url, text }) =>
      exact(text, (change) => known(url, (id, ticket) => keep(id, { ...ticket, ...change }))),
    deleteTicket: ({ url }) =>
      known(url, (id) => {
        tickets.delete(id)
        return { status: 204 }
      }),
    addComment: ({ url }) => known(url, () => ({ status: 201 })),
    login: () => refusal(401, 'wrong user or password'),
    listEvents: () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'data: {"n":1}\n\ndata: {"n":2}\n\n',
      isOpen: true
    }),
    search: ({ text }) => jsonAnswer(200, text === '' ? [] : [1])
  }
}

function depotService(): Service {
  const orders = new Map<string, Any>()
  const notes = new Map<string, string>()
  const known = ({ params }: Call): Any =>
    orders.get(params?.['orderId'].toLowerCase()) ?? refuse(404, 'no such order')
  return {
    listOrders: () => jsonAnswer(200, [...orders.values()].slice(-2), { 'x-total': String(orders.size) }),
    createOrder({ body: { lines, due } }) {
      const id = randomUUID()
      orders.set(id, { id, lines, ...(due !== undefined && { due }) })
      return jsonAnswer(201, orders.get(id), { location: `/v2/orders/${id}` })
    },
    getOrder: (call) => jsonAnswer(200, known(call)),
    changeOrder(call) {
      const order = known(call)
      if (call.body.due !== undefined) order.due = call.body.due
      return jsonAnswer(200, order)
    },
    addFile: (call) => known(call) && { status: 201 },
    putNote({ params, text }) {
      notes.set(params?.['name'], text)
      return { status: 204 }
    },
    getNote({ params }) {
      const body = notes.get(params?.['name']) ?? refuse(404, 'no such note')
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
    },
    getArea({ params }) {
      const [west = 0, south = 0, east = 0, north = 0] = params?.['box'] ?? []
      return jsonAnswer(200, { size: (east - west) * (north - south) })
    }
  }
}
const services = { desk: ticketService, depot: depotService }

export function write(response: ServerResponse, { status, headers, body, isOpen }: Answer): void {
  response.writeHead(status, { ...headers })
  if (isOpen === true) response.write(String(body))
  else response.end(body)
}

/** The server on a socket, in plain `node:http`. */
export function httpServer(name: keyof typeof services): Server {
  const answer = correctServer(name)
  return createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    write(response, await answer({ method, url, headers, body: await buffer(request) }))
  })
}
