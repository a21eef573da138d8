/** A correct implementation of desk.yaml on Ajv, independent of the engine; each defect spoils one place of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { load } from 'js-yaml'
import { exactJson, written } from './exact-json.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

type Has = (defect: string) => boolean
type Ticket = Readonly<Record<string, unknown>>

export const deskToken = 'token-of-the-desk'

export interface DeskAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** True for a body that is the beginning of a stream without end. */
  readonly isOpen?: boolean
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Thrown by a server that closes the connection without an answer. */
export class Cut extends Error {}

const json = { 'content-type': 'application/json' }
const answer = (status: number, value: unknown): DeskAnswer => ({
  status,
  headers: json,
  body: written(value)
})
const wrong = (message: string): never => {
  throw new Refused(400, message)
}

const text = readFileSync(join(import.meta.dirname, 'desk.yaml'), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: a document as it was read
const document = (): any => load(text)

/** Changes of the schemas by which a server validates. */
// biome-ignore lint/suspicious/noExplicitAny: a document as it was read
const schemaDefects: Readonly<Record<string, (schemas: any) => unknown>> = {
  'only the first item is validated': ({ Fields: { properties } }) => {
    properties.assignees = { type: 'array', prefixItems: [properties.assignees.items] }
  },
  'a line break at the end is taken': ({ Fields }) => {
    Fields.properties.labels.items.pattern = '^[a-z]{1,12}\\n?$'
  },
  'a nested property may be missing': ({ Search }) => delete Search.oneOf[1].properties.range.required,
  'a bound inside a form is not checked': ({ CommentForm }) => delete CommentForm.properties.stars.maximum,
  'a reply is not validated': ({ Comment }) => {
    Comment.properties.replies.items = {}
  },
  'a multiple is not checked': ({ Fields }) => delete Fields.properties.estimate.multipleOf
}

export class Desk {
  readonly #has: Has
  readonly #tickets = new Map<string, Ticket>()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false })

  /** @param defects names of the defects; none for a correct desk */
  constructor(...defects: readonly string[]) {
    this.#has = (name) => defects.includes(name)
    const { components } = document()
    for (const name of defects) schemaDefects[name]?.(components.schemas)
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'desk', components })
  }

  answer(asked: Asked): DeskAnswer {
    try {
      const [handlers, open] = this.#route(asked.path)
      const handle = handlers[asked.method]
      if (handle === undefined)
        return {
          ...answer(405, { message: 'no' }),
          headers: { ...json, allow: Object.keys(handlers).join(', ') }
        }
      if (!open && asked.headers['authorization'] !== `Bearer ${deskToken}`) throw new Refused(401, 'who?')
      return handle.call(this, asked)
    } catch (error) {
      if (error instanceof Refused) return answer(error.status, { message: error.message })
      throw error
    }
  }

  #route(path: string): readonly [Readonly<Record<string, (asked: Asked) => DeskAnswer>>, boolean] {
    if (path === '/tickets') return [{ GET: this.#list, POST: this.#create }, false]
    if (/^\/tickets\/[^/]+$/.test(path))
      return [{ GET: this.#get, PUT: this.#replace, PATCH: this.#change, DELETE: this.#delete }, false]
    if (/^\/tickets\/[^/]+\/comments$/.test(path)) return [{ POST: this.#comment }, false]
    if (path === '/login') return [{ POST: this.#login }, true]
    if (path === '/events') return [{ GET: this.#events }, true]
    if (path === '/search') return [{ POST: this.#search }, false]
    throw new Refused(404, 'no such path')
  }

  #check(schema: string, value: unknown): void {
    const validate = this.#ajv.getSchema(`desk#/components/schemas/${schema}`)
    if (validate?.(value) !== true) wrong(this.#ajv.errorsText(validate?.errors))
  }

  /** Parses and validates a JSON body; integers that a double cannot hold are bigints. */
  #body({ headers, body }: Asked, schema: string, type = 'application/json'): Ticket {
    const sent = String(headers['content-type'] ?? '')
    const isTaken = this.#has('a charset is refused') ? sent === type : sent.split(';')[0]?.trim() === type
    if (body === '' && this.#has('an empty body is taken for {}') && sent !== '') return {}
    if (sent === '' && body === '') wrong('no body')
    if (!isTaken) throw new Refused(415, 'not JSON')
    const value = parsed(body)
    this.#check(schema, JSON.parse(body))
    const { id = 0, serial = 0 } = value
    if (![id, serial].every((number) => isInt64(BigInt(number as number)))) wrong('beyond int64')
    return value
  }

  #list({ query, headers }: Asked): DeskAnswer {
    const has = this.#has
    for (const [name, read] of Object.entries(parameters)) {
      const all = query.getAll(name)
      const mayRepeat = name === 'label' || (name === 'limit' && has('a parameter may be sent twice'))
      if (all.length > 1 && !mayRepeat) wrong(`${name} twice`)
      if (all.length > 3) wrong('too many')
      if (name === 'limit' && all[0] === '' && has('an empty number is taken for none')) continue
      if (!all.every(read)) wrong(name)
    }
    const q = query.get('q') ?? ''
    if (has('a text is decoded twice')) decodeURIComponent(q)
    if (has('a listed value is refused') && query.get('status') === 'closed') wrong('status')
    const trace = headers['x-trace']
    if (trace !== undefined && !/^[a-f0-9]{8}$/.test(String(trace))) wrong('trace')
    const accept = String(headers['accept'] ?? '*/*')
    const found = [...this.#tickets.values()].slice(-3)
    if (/text\/csv/.test(accept)) {
      if (has('a media type of the answer crashes')) throw new TypeError('csv')
      return { status: 200, headers: { 'content-type': 'text/csv' }, body: 'id,title\r\n' }
    }
    if (!/\*\/\*|json/.test(accept)) throw new Refused(406, 'csv or json')
    return answer(200, found)
  }

  #create(asked: Asked): DeskAnswer {
    const has = this.#has
    if (has('null for a list crashes') && /"labels": ?null/.test(asked.body)) throw new TypeError('null')
    const ticket = this.#body(asked, 'Ticket')
    if (has('the largest int64 crashes') && ticket['serial'] === 2n ** 63n - 1n) throw new RangeError('int64')
    if (has('a full list crashes') && Array.isArray(ticket['labels']) && ticket['labels'].length === 5)
      throw new TypeError('five')
    const id = String(ticket['id'])
    if (has('the largest id crashes') && BigInt(id) === 2n ** 63n - 1n) throw new RangeError('int64')
    if (this.#tickets.has(id)) throw new Refused(409, 'taken')
    this.#tickets.set(id, ticket)
    return answer(201, ticket)
  }

  #idOf({ path }: Asked): string {
    const id = decodeURIComponent(path.split('/')[2] ?? '')
    if (!/^-?\d+$/.test(id) || !isInt64(BigInt(id))) wrong('id')
    return String(BigInt(id))
  }

  #known(asked: Asked): Ticket {
    const found = this.#tickets.get(this.#idOf(asked))
    if (found === undefined) throw new Refused(404, 'no such ticket')
    return found
  }

  #get(asked: Asked): DeskAnswer {
    const has = this.#has
    if (has('a body where none is crashes') && asked.body !== '') throw new TypeError('body')
    if (has('an unknown Accept crashes') && asked.headers['accept']?.includes('undeclared'))
      throw new TypeError('type')
    const ticket = this.#known(asked)
    if (has('one id in fifty crashes') && BigInt(ticket['id'] as number) % 50n === 7n)
      throw new TypeError('id')
    return answer(200, ticket)
  }

  #replace(asked: Asked): DeskAnswer {
    const has = this.#has
    const fields = this.#body(asked, 'Fields')
    const title = String(fields['title'])
    if (has('a text of more than 60 characters cuts the connection') && title.length > 60) throw new Cut()
    if (
      has('an empty list crashes') &&
      Array.isArray(fields['assignees']) &&
      fields['assignees'].length === 0
    )
      throw new TypeError('empty')
    if (has('zero is refused') && fields['estimate'] === 0) wrong('estimate')
    if (has('false is refused') && fields['urgent'] === false) wrong('urgent')
    if (has('a missing optional property crashes') && fields['labels'] === undefined)
      throw new TypeError('labels')
    const ticket = { ...fields, id: this.#known(asked)['id'] }
    this.#tickets.set(this.#idOf(asked), ticket)
    return answer(200, ticket)
  }

  #change(asked: Asked): DeskAnswer {
    const change = this.#body(asked, 'Change', 'application/merge-patch+json')
    const ticket = { ...this.#known(asked), ...change }
    this.#tickets.set(this.#idOf(asked), ticket)
    return answer(200, ticket)
  }

  #delete(asked: Asked): DeskAnswer {
    const has = this.#has
    const id = this.#idOf(asked)
    if (!this.#tickets.delete(id)) {
      if (has('a resource that nobody created crashes')) throw new TypeError('undefined')
      throw new Refused(404, 'no such ticket')
    }
    return { status: 204 }
  }

  #comment(asked: Asked): DeskAnswer {
    const has = this.#has
    const type = String(asked.headers['content-type'] ?? '').split(';')[0]
    if (type === 'application/x-www-form-urlencoded') {
      if (has('a second media type crashes')) throw new SyntaxError('not JSON')
      const form = new URLSearchParams(asked.body)
      if ([...form.keys()].length > new Set(form.keys()).size) wrong('twice')
      const stars = form.get('stars')
      const value = { ...Object.fromEntries(form), ...(isNumber(stars ?? '') && { stars: Number(stars) }) }
      this.#check('CommentForm', value)
    } else {
      const comment = this.#body(asked, 'Comment')
      if (has('a text of more than 10,000 characters is refused') && String(comment['text']).length > 10_000)
        throw new Refused(413, 'too large')
      if (has('nested replies crash') && levelsOf(comment) > 30) throw new RangeError('stack')
    }
    this.#known(asked)
    return { status: 201 }
  }

  #login(asked: Asked): DeskAnswer {
    const { user } = this.#body(asked, 'Login')
    if (this.#has('constructor is a user') && user === 'constructor') throw new TypeError('constructor')
    throw new Refused(401, 'wrong user or password')
  }

  #events(): DeskAnswer {
    const body = 'data: {"n":1}\n\ndata: {"n":2}\n\n'
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body, isOpen: true }
  }

  #search(asked: Asked): DeskAnswer {
    if (asked.body === '' && asked.headers['content-type'] === undefined) return answer(200, [])
    const { kind } = this.#body(asked, 'Search')
    if (this.#has('a second branch crashes') && kind === 'range') throw new TypeError('range')
    return answer(200, [1])
  }
}

const isInt64 = (value: bigint) => BigInt.asIntN(64, value) === value
const isNumber = (value: string) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)
const isInteger = (value: string) => isNumber(value) && Number.isInteger(Number(value))

const parameters: Readonly<Record<string, (text: string) => boolean>> = {
  limit: (value) => isInteger(value) && Number(value) >= 1 && Number(value) <= 100,
  status: (value) => ['open', 'waiting', 'closed'].includes(value),
  q: (value) => [...value].length <= 100,
  label: (value) => /^[a-z]{1,12}$/.test(value),
  after: (value) => /^-?\d+$/.test(value) && isInt64(BigInt(value))
}

function parsed(body: string): Ticket {
  try {
    return Object(exactJson(body))
  } catch {
    throw new Refused(400, 'malformed JSON')
  }
}

/** Returns the levels of lists and objects of a value. */
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0
