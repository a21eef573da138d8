/** A correct implementation of depot.yaml on Ajv, independent of the engine; each defect spoils one place of it. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { load } from 'js-yaml'

// biome-ignore lint/suspicious/noExplicitAny: documents and bodies as they were read
type Any = any
interface Given {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
interface Asked {
  readonly headers: IncomingMessage['headers']
  readonly query: URLSearchParams
  readonly id: string
  readonly body: Buffer
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const given = (status: number, value: unknown, headers: Given['headers'] = {}): Given => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value)
})
const wrong = (message: string): never => {
  throw new Refused(400, message)
}
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Changes of the schemas by which a server validates. */
const schemaDefects: Readonly<Record<string, (schemas: Any) => unknown>> = {
  'a line may have undeclared properties': ({ NewOrder }) =>
    delete NewOrder.properties.lines.items.additionalProperties,
  'a list may be longer than its bound': ({ NewOrder }) => delete NewOrder.properties.lines.maxItems,
  'codes of the third payment are not checked': ({ Voucher }) => delete Voucher.properties.codes.items,
  'values of a map are not checked': ({ NewOrder }) =>
    delete NewOrder.properties.weights.additionalProperties,
  'what depends on a property may be missing': ({ NewOrder }) => delete NewOrder.dependentRequired,
  'a change of nothing is taken': ({ Change }) => delete Change.minProperties,
  'a date may have 31 days in each month': ({ NewOrder }) => {
    NewOrder.properties.due = { type: ['string', 'null'], pattern: '^\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01])$' }
  },
  'a pattern is not anchored': ({ NewOrder }) => {
    NewOrder.properties.lines.items.properties.sku.pattern = '[A-Z]{3}-\\d{4}'
  }
}

const document: Any = load(readFileSync(join(import.meta.dirname, 'depot.yaml'), 'utf8'))

function validatorsOf(components: Any): Ajv2020 {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  return ajv.addSchema({ $id: 'depot', components })
}

/** Validators of all depots whose schemas are right. */
const right = validatorsOf(document.components)

export class Depot {
  readonly #has: (defect: string) => boolean
  readonly #orders = new Map<string, Any>()
  readonly #notes = new Map<string, string>()
  readonly #ajv: Ajv2020
  readonly #paths: Any = document.paths

  /** @param defects names of the defects; none for a correct depot */
  constructor(...defects: readonly string[]) {
    this.#has = (name) => defects.includes(name)
    const spoiling = defects.flatMap((name) => schemaDefects[name] ?? [])
    const { components } = spoiling.length === 0 ? document : structuredClone(document)
    for (const spoil of spoiling) spoil(components.schemas)
    this.#ajv = spoiling.length === 0 ? right : validatorsOf(components)
  }

  async answer(request: IncomingMessage, body: Buffer): Promise<Given> {
    const { pathname, searchParams: query } = new URL(String(request.url), 'http://x')
    try {
      const [, base, kind, id, rest, further] = pathname.split('/')
      const route = [kind, id !== undefined && '*', rest].filter(Boolean).join('/')
      const handlers = base === 'v2' && further === undefined ? this.#routes[route] : undefined
      if (handlers === undefined) throw new Refused(404, 'no such path')
      const handle = handlers[String(request.method)]
      if (handle === undefined) return { status: 405, headers: { allow: Object.keys(handlers).join(', ') } }
      return await handle.call(this, { headers: request.headers, query, id: decoded(id ?? ''), body })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return given(error.status, { title: error.message }, { 'content-type': 'application/problem+json' })
    }
  }

  readonly #routes: Readonly<
    Record<string, Readonly<Record<string, (asked: Asked) => Given | Promise<Given>>>>
  > = {
    orders: { GET: this.#list, POST: this.#create },
    'orders/*': { GET: this.#get, PATCH: this.#change },
    'orders/*/files': { POST: this.#addFile },
    'notes/*': { PUT: this.#putNote, GET: this.#getNote },
    'areas/*': { GET: this.#area }
  }

  #check(schema: string | object, value: unknown): void {
    const validate =
      typeof schema === 'string'
        ? this.#ajv.getSchema(`depot#/components/schemas/${schema}`)
        : this.#ajv.compile(schema)
    if (validate?.(value) !== true) wrong(this.#ajv.errorsText(validate?.errors))
  }

  #json<T = Any>(schema: string, { headers, body }: Asked): T {
    const has = this.#has
    const type = String(headers['content-type'] ?? '')
    if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw new Refused(415, 'not JSON')
    const text = body.toString()
    const value = parsed(text)
    const { payment } = Object(value)
    if (has('an unknown kind of payment crashes') && typeof payment?.kind === 'string')
      if (!['card', 'transfer', 'voucher'].includes(payment.kind)) throw new TypeError('kind')
    if (has('a payment without kind crashes') && payment && payment.kind === undefined)
      throw new TypeError('kind')
    if (has('a body that is a list crashes') && Array.isArray(value)) throw new TypeError('list')
    if (has('an email with a plus is refused') && /\+/.test(value?.customer)) wrong('customer')
    this.#check(schema, value)
    return value
  }

  #create(asked: Asked): Given {
    const has = this.#has
    const order = this.#json('NewOrder', asked)
    const keys = Object.keys(order.weights ?? {})
    if (has('an empty key of a map crashes') && keys.includes('')) throw new TypeError('key')
    if (has('null in a nested list crashes'))
      for (const { options = [] } of order.lines)
        for (const { value } of options) if (value === null) throw new TypeError('null')
    if (has('due that is null crashes') && order.due === null) throw new TypeError('null')
    const id = randomUUID()
    const kept = { id, lines: order.lines, ...(order.due !== undefined && { due: order.due }) }
    this.#orders.set(id, kept)
    return given(201, kept, { location: `/v2/orders/${id}` })
  }

  #list({ headers, query }: Asked): Given {
    const has = this.#has
    const read = new Map<string, Any>()
    for (const spec of this.#paths['/orders'].get.parameters) {
      const value = this.#parameter(spec, headers, query)
      if (value === undefined) {
        if (spec.required && !has('a required header may be missing')) wrong(spec.name)
        continue
      }
      const { schema = spec.content?.['application/json'].schema, name } = spec
      if (name === 'lang' && has('a cookie is not checked')) continue
      if (name === 'X-Depth' && has('a bound of a header is not checked')) continue
      if (name === 'ids' && has('only the first id of a list is checked'))
        this.#check(schema, value.slice(0, 1))
      else if (name === 'sort' && has('a list in a query may have duplicates'))
        this.#check({ ...schema, uniqueItems: false }, value)
      else if (name === 'filter' && has('a bound in deepObject is not checked'))
        this.#check({ ...schema, properties: { ...schema.properties, min: { type: 'integer' } } }, value)
      else this.#check(schema, value)
      read.set(name, value)
    }
    const since = read.get('since')
    if (has('a date with an offset crashes') && /[+-]\d\d:\d\d$/.test(since)) throw new RangeError('offset')
    if (has('a cookie in French crashes') && read.get('lang') === 'fr') throw new TypeError('fr')
    if (has('both properties of a filter crash') && Object.keys(read.get('filter') ?? {}).length === 2)
      throw new TypeError('filter')
    if (has('a list of three in a query crashes') && read.get('sort')?.length === 3)
      throw new TypeError('sort')
    return given(200, [...this.#orders.values()].slice(-2), { 'x-total': String(this.#orders.size) })
  }

  #parameter(spec: Any, headers: Asked['headers'], query: URLSearchParams): Any {
    const { name, in: location, style, schema } = spec
    if (location === 'header') return converted(schema, headers[name.toLowerCase()])
    if (location === 'cookie')
      return String(headers['cookie'] ?? '')
        .split('; ')
        .find((each) => each.startsWith(`${name}=`))
        ?.slice(name.length + 1)
    if (style === 'deepObject') return this.#filter(name, schema, query)
    const all = query.getAll(name)
    if (all.length > 1) wrong(`${name} twice`)
    const [text] = all
    if (text === undefined) return undefined
    if (spec.content !== undefined) {
      if (this.#has('JSON in a query that is malformed crashes')) return JSON.parse(text)
      return parsed(text)
    }
    if (schema.type === 'array') return text === '' ? [] : text.split(style === 'pipeDelimited' ? '|' : ',')
    return converted(schema, text)
  }

  #filter(name: string, schema: Any, query: URLSearchParams): unknown {
    const value: Record<string, unknown> = {}
    for (const [key, text] of query) {
      const [, of, property] = /^([^[]+)\[([^\]]*)\]$/.exec(key) ?? []
      if (of !== name || property === undefined) continue
      if (Object.hasOwn(value, property)) wrong('twice')
      if (this.#has('an undeclared property in deepObject crashes') && !schema.properties[property])
        throw new TypeError(property)
      value[property] = converted(schema.properties[property] ?? {}, text)
    }
    return Object.keys(value).length === 0 ? undefined : value
  }

  #known({ id }: Asked): Any {
    const has = this.#has
    if (!uuid.test(id)) wrong('id')
    if (has('an id in capitals crashes') && /[A-F]/.test(id)) throw new TypeError('capitals')
    const found = this.#orders.get(id.toLowerCase())
    if (found === undefined) {
      if (has('an order that nobody created is empty')) return {}
      throw new Refused(404, 'no such order')
    }
    return found
  }

  #get(asked: Asked): Given {
    return given(200, this.#known(asked))
  }

  #change(asked: Asked): Given {
    const has = this.#has
    const change = this.#json('Change', asked)
    const order = this.#known(asked)
    if (has('two changes at once crash') && Object.keys(change).length > 1) throw new TypeError('two')
    const { due = order.due } = change
    const changed = { ...order, ...(due !== undefined && { due }) }
    this.#orders.set(order.id, changed)
    return given(200, changed)
  }

  async #addFile(asked: Asked): Promise<Given> {
    const has = this.#has
    const type = String(asked.headers['content-type'] ?? '')
    if (!type.toLowerCase().startsWith('multipart/form-data')) throw new Refused(415, 'not a form')
    const form = await formOf(type, asked.body, has('a form without boundary crashes'))
    const value: Record<string, Any> = {}
    for (const name of new Set(form.keys())) {
      const all = form.getAll(name)
      if (name === 'tags') value[name] = all
      else if (all.length > 1 && !has('a second file is taken')) wrong(`${name} twice`)
      else value[name] = all[0]
    }
    const { file, place, tags } = value
    if (file !== undefined) {
      if (!(file instanceof File)) wrong('file is a text')
      if (has('an empty file crashes') && file.size === 0) throw new RangeError('empty')
      if (file.size > 5000 && !has('a file may be of any size')) wrong('size')
      value['file'] = 'x'
    }
    if (typeof place === 'string') value['place'] = parsed(place)
    if (has('a part of JSON is not checked')) delete value['place']
    if (has('a part that is required may be missing')) value['caption'] ??= 'none'
    if (has('an undeclared part is taken'))
      for (const name of form.keys()) if (!parts.includes(name)) delete value[name]
    if (has('texts of a form are cut at 80 bytes') && Buffer.byteLength(value['caption'] ?? '') > 80)
      wrong('caption')
    if (has('two tags crash') && tags?.length === 2) throw new TypeError('tags')
    this.#check(this.#formSchema, value)
    this.#known(asked)
    return { status: 201 }
  }

  get #formSchema(): object {
    const { content } = this.#paths['/orders/{orderId}/files'].post.requestBody
    return content['multipart/form-data'].schema
  }

  #putNote({ id, headers, body }: Asked): Given {
    const has = this.#has
    const type = String(headers['content-type'] ?? '')
    if (type.split(';')[0]?.trim().toLowerCase() !== 'text/plain') throw new Refused(415, 'not text')
    const text = body.toString()
    if (text === '') wrong('empty')
    const length = has('a text is measured in UTF-16') ? text.length : [...text].length
    if (length > 300) wrong('too long')
    this.#name(id)
    this.#notes.set(id, text)
    return { status: 204 }
  }

  #name(id: string): void {
    const has = this.#has
    if (has('a name is decoded twice')) decodeURIComponent(id)
    if ([...id].length > 40) wrong('name')
    if (has('a name that an object has crashes') && id in {}) throw new TypeError('own')
    if (id === '') wrong('name')
  }

  #getNote({ id }: Asked): Given {
    this.#name(id)
    const text = this.#notes.get(id)
    if (text === undefined) throw new Refused(404, 'no such note')
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
  }

  #area({ id }: Asked): Given {
    const numbers = id.split(',')
    const isNumber = (text: string) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
    if (this.#has('three numbers are taken for four') && numbers.length === 3) numbers.push('0')
    if (numbers.length !== 4) wrong('four')
    const isBad = (text: string) => !isNumber(text) || Number(text) < -180 || Number(text) > 180
    if ((this.#has('the last number of a path is not checked') ? numbers.slice(0, 3) : numbers).some(isBad))
      wrong('a number')
    const [west = 0, south = 0, east = 0, north = 0] = numbers.map(Number)
    if (this.#has('a bound itself is refused') && numbers.some((text) => Number(text) === 180)) wrong('180')
    const size = (east - west) * (north - south)
    return given(200, { size })
  }
}

const parts = ['file', 'caption', 'tags', 'place']

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return wrong('percent-encoding')
  }
}

function parsed(text: string): Any {
  try {
    return JSON.parse(text)
  } catch {
    return wrong('malformed JSON')
  }
}

function converted({ type }: Any, text: unknown): unknown {
  if (type !== 'integer' || typeof text !== 'string') return text
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text
}

async function formOf(type: string, body: Buffer, mayCrash: boolean): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    if (mayCrash && !/boundary=/.test(type)) throw error
    return wrong('malformed form')
  }
}

export function depotServer(...defects: readonly string[]): Server {
  const depot = new Depot(...defects)
  return createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    try {
      const { status, headers, body: text } = await depot.answer(request, body)
      response.writeHead(status, { ...headers }).end(text)
    } catch {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('internal')
    }
  })
}
