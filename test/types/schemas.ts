/** Uses of the types of contracts in test/contracts: a section for each, which is compiled beside its code. */

// agreement-3.0.yaml
import contract, { type components, type Handlers } from './contract.ts'
import { createContractServer } from 'ENGINE'

type Thing = components['schemas']['Thing']

check<Thing>({ wide: null, few: null, loose: null })
check<Thing>({ wide: 1n, few: 2n, strict: { a: 'x' }, loose: { a: 'x' }, lists: [['a'], []] })
check<Thing>({ undeclared: { a: 'x', b: null } })
check<Asked<Handlers['upload']>['body']['file']>(null)

// @ts-expect-error a required name is missing
check<Thing>({ undeclared: { a: 'x' } })
// @ts-expect-error a required property of the nullable schema is missing
check<Thing>({ loose: {} })
// @ts-expect-error an item that is no list
check<Thing>({ lists: ['a'] })

const others = { security: {}, errorBody: () => ({}) }
const upload: Handlers['upload'] = () => ({ status: 204 })
createContractServer({
  contract,
  handlers: {
    upload,
    add: async () => ({ status: 200, body: { undeclared: { a: 'x', b: 1 } } }),
    ping: async () => ({ status: 200, body: { state: 'up', code: 1 } })
  },
  ...others
})
createContractServer({
  contract,
  handlers: {
    upload,
    add: async () => ({ status: 200, body: {} }),
    // @ts-expect-error a value that is not listed
    ping: async () => ({ status: 200, body: { state: 'sideways' } })
  },
  ...others
})

// agreement.yaml
import contract, { type components } from './contract.ts'
import { contractRoutes, createContractServer } from 'ENGINE'

type Thing = components['schemas']['Thing']

check<Thing>({ open: null, strict: null, either: null })
check<Thing>({ open: { a: 'x', b: 1 }, widened: { a: 'x', b: 1, c: 'any' }, listed: 'a' })
check<Thing>({ pair: [], pairs: ['a', 1, 2] })
check<Thing>({ pair: ['a', 1n] })
check<Thing>({ either: { a: 'x', x: 1 } })

// @ts-expect-error `nullable` has no effect since OpenAPI 3.1
check<Thing>({ before: null })
// @ts-expect-error a required name is missing
check<Thing>({ widened: { a: 'x', b: 1 } })
// @ts-expect-error a property beside the reference
check<Thing>({ widened: { a: 'x', b: '1', c: 1 } })
// @ts-expect-error a listed value of another type
check<Thing>({ listed: null })
// @ts-expect-error more items than are declared
check<Thing>({ pair: ['a', 1n, 2n] })
// @ts-expect-error the first item is required
check<Thing>({ pairs: [] })

/** Tuples that handlers return, written inline. */
declare const app: Awaited<ReturnType<typeof createContractServer>>
const others = { contract, security: {}, errorBody: () => ({}) }
createContractServer({
  ...others,
  handlers: {
    add: async ({ url }) => {
      if (url === '/') return { status: 200, body: { pair: ['a', 1n], pairs: ['a', ...url.split('/').map(Number)] } }
      return { status: 200, body: { pairs: ['a'] } }
    }
  }
})
app.register(contractRoutes, { ...others, handlers: { add: () => ({ status: 200, body: { pair: ['a', 1n] } }) } })
// @ts-expect-error an item of another type
createContractServer({ ...others, handlers: { add: () => ({ status: 200, body: { pair: ['a', true] } }) } })
// @ts-expect-error more items than are declared
createContractServer({ ...others, handlers: { add: async () => ({ status: 200, body: { pair: ['a', 1n, 2n] } }) } })

// discriminator.yaml
import type { Handlers, Schemas } from './contract.ts'

type Mapped = Handlers['mapped']

check<Mapped>(({ body }) => {
  if (body.kind === 'cat') return { status: 200, body: { kind: 'cat', lives: body.lives } }
  return { status: 200, body: { kind: 'hound', bark: body.bark, big: body.big ?? 1n } }
})

/** Values are references or names; without a mapping, they are the names of the schemas. */
declare const implied: Asked<Handlers['implied']>['body']
check<number | boolean>(implied.kind === 'Cat' ? implied.lives : implied.bark)
check<Handlers['shapes']>(({ body }) => {
  // @ts-expect-error the parent's value of no alternative
  if (body.kind === 'line') return { status: 204 }
  switch (body.kind) {
    case 'circle':
    case 'ring':
      return { status: body.radius === 0 ? 204 : 204 }
    default:
      return { status: body.side === 0 ? 204 : 204 }
  }
})

/** Outside of a union the property keeps its type, in heirs too. */
const alone: Schemas['Cat'] = { kind: 'other', lives: 9 }
check<Schemas['Derived']>({ type: 'other', more: 'text' })

// @ts-expect-error it fits neither branch
check<Mapped>(() => ({ status: 200, body: { kind: 'fish' } }))
// @ts-expect-error it fits the branch of another value
check<Mapped>(() => ({ status: 200, body: { kind: 'cat', bark: true } }))
// @ts-expect-error a value that selects no branch
check<Mapped>(() => ({ status: 200, body: { kind: 'lion', lives: 9 } }))
// @ts-expect-error a cat outside of the union may have any value
check<Mapped>(() => ({ status: 200, body: alone }))
const selected: Extract<Schemas['Mapped'], { kind: 'cat' }> = { kind: 'cat', lives: 9 }
check<Mapped>(() => ({ status: 200, body: selected }))

// optional-discriminator.yaml
import type { Handlers, Requests, Schemas } from './contract.ts'

/** Both directions narrow; a value without the property may be either alternative. */
check<Handlers['plain']>(({ body }) => {
  if (body?.view === 'private') return { status: 200, body: { view: 'private', secret: body.secret } }
  return { status: 200, body: { name: body?.name ?? '' } }
})
// @ts-expect-error the value of the other alternative
check<Schemas['Plain']>({ view: 'private', name: 'a' })

/** Values that select nothing belong to the schema of defaultMapping. */
check<readonly Schemas['Standard'][]>([{ kind: 'Cat', lives: 9 }, { kind: 'else', size: 1 }, { size: 1 }])
// @ts-expect-error no value for an alternative that is selected by its own
check<Schemas['Standard']>({ kind: 'else', lives: 9 })

/** The property is hidden from requests. */
check<Requests['Hidden']>({ a: 1 })
check<Schemas['Hidden']>({ type: 'A', a: 1 })
// @ts-expect-error the value of the other alternative
check<Schemas['Hidden']>({ type: 'B', a: 1 })

// dynamic-references.yaml
import type { Handlers } from './contract.ts'

check<Handlers['numbers']>(({ body }) => {
  const ids: bigint[] = body.items
  const next: bigint[] | undefined = body.next?.items
  return { status: 200, body: { items: [...ids, ...(next ?? [])] } }
})
check<Handlers['words']>(({ body: { items } }) => {
  const words: string[] = items
  return { status: 204, headers: { 'x-words': String(words.length) } }
})
// @ts-expect-error the items are bigints here
check<Handlers['numbers']>(() => ({ status: 200, body: { items: ['a'] } }))

// maps.yaml
import contract from './contract.ts'
import type { components } from './types.ts'
import { operationCodec } from 'CODEC'

type Maps = components['schemas']['Maps']

/** Values that the schemas allow. */
check<readonly Maps[]>([
  { labels: { id: 1, colour: 'green' } },
  { wide: { id: 1n, on: true } },
  { prefixed: { id: 1, 'x-a': 'b' } },
  { open: { id: 1, 'x-a': 'b' } },
  { split: { id: 1, 'x-a': 'b' } },
  { patterns: { 'x-a': 'b', 'y-a': true, n: 1 } },
  { tree: { name: 'a', left: { right: {} } } },
  { nullable: { id: null, other: 'a' } },
  { nullable: null },
  { untyped: { id: 1, other: 'a' } },
  { joined: { id: 1, other: 'a' } },
  { any: { id: 1, other: [] } },
  { none: { id: 1, other: 'a' } }
])
// @ts-expect-error the type of a declared property
check<Maps>({ labels: { id: 'a', colour: 'green' } })
// @ts-expect-error a required property
check<Maps>({ labels: { colour: 'green' } })
// @ts-expect-error the type of all others
check<Maps>({ labels: { id: 1, colour: true } })
// @ts-expect-error a type of no pattern
check<Maps>({ prefixed: { 'x-a': true } })
// @ts-expect-error a value that is not listed
check<Maps>({ nullable: { other: 'c' } })

declare const received: Maps
check<number | undefined>(received.labels?.id)
check<string | number | undefined>(received.labels?.['colour'])

const of = { operationId: 'exchange', mediaType: 'application/json', status: 200, file: 'x.ts' } as const
// @ts-expect-error no such operation
operationCodec(contract, { ...of, operationId: 'other' })
// @ts-expect-error no such media type
operationCodec(contract, { ...of, mediaType: 'text/plain' })
// @ts-expect-error no such status
operationCodec(contract, { ...of, status: 201 })
const codec = await operationCodec(contract, of)
// @ts-expect-error no such property
void codec.declared({}).other
check<Maps>(codec.parse(Buffer.from('{}')))
check<string>(codec.serialize({ labels: { id: 1 } }))

check<number>(contract.schemas.Labels.parse('{"id":1}').id)
const loaded = await contract.loadSchemas()
// @ts-expect-error labels have an id
loaded.Labels.stringify({})

// int64.yaml
import type { Handlers } from './contract.ts'

type Echo = Handlers['echo']

declare const asked: Asked<Echo>
const { params, query, headers, body } = asked
check<bigint>(params.id)
check<bigint>(query.after)
check<bigint[] | undefined>(query.ids)
check<bigint | undefined>(headers['x-id'])
check<9007199254740993n | 1n | undefined>(body?.few)
check<bigint | null | undefined>(body?.maybe)
check<-9007199254740993n | 'all' | null | undefined>(body?.word)
check<9007199254740993n | undefined>(body?.only)
check<1n | boolean | undefined>(body?.mixed)
check<number | undefined>(body?.plain)
check<string | undefined>(body?.text)
check<Echo>(() => ({ status: 200, body: { id: params.id + query.after, plain: 0, text: '' } }))
// @ts-expect-error int64 is not a number
check<Echo>(() => ({ status: 200, body: { id: 1 } }))
// @ts-expect-error a plain integer is not a bigint
check<Echo>(() => ({ status: 200, body: { plain: 1n } }))

// recursive.yaml
import type { Handlers } from './contract.ts'

check<Handlers['value']>(({ body }) => {
  const first = Array.isArray(body) ? body[0] : body
  const second = Array.isArray(first) ? first[0] : first
  return { status: 200, body: [typeof second === 'bigint' ? second : 1n, ['a', { b: [2n] }]] }
})
check<Handlers['layers']>(({ body }) => ({ status: 200, body: [...body, [[]], []] }))
check<Handlers['blocks']>(({ body }) => ({ status: 200, body: { ...body, type: 'size', size: 1n } }))

// @ts-expect-error a boolean is not allowed at any depth
check<Handlers['value']>(() => ({ status: 200, body: [['a', [true]]] }))
// @ts-expect-error a scalar is not a list
check<Handlers['layers']>(() => ({ status: 200, body: [[1]] }))
// @ts-expect-error a block is one of its alternatives
check<Handlers['blocks']>(() => ({ status: 200, body: { type: 'size' } }))

// names.yaml
import type { Handlers } from './contract.ts'

check<Pick<Handlers, 'toString' | 'delete' | 'a-b' | 'a_b' | '1#/~'>>({
  toString: ({ params, query, body }) => {
    const all: number = params.constructor + (query.hasOwnProperty ?? 0)
    const wide: bigint | undefined = body?.hasOwnProperty
    return { status: 200, body: { toString: all, hasOwnProperty: wide ?? 0n, valueOf: {} } }
  },
  delete: () => ({ status: 200, body: { class: 'x' } }),
  'a-b': () => ({ status: 200, body: { x: 1 } }),
  a_b: () => ({ status: 200, body: { y: 1 } }),
  '1#/~': () => ({ status: 204 })
})

// read-write-only.yaml
import contract, { type Handlers, type Requests, type Schemas } from './contract.ts'

type Register = Handlers['register']
const created = '2026-01-02T03:04:05Z'

check<Register>(({ body }) => ({ status: 201, body: { id: body.password.length, name: body.name, created } }))
// @ts-expect-error a request has no read-only property
check<Register>(({ body }) => ({ status: 201, body: { id: body.id, name: '', created } }))
// @ts-expect-error a response has every required read-only property
check<Register>(() => ({ status: 201, body: { name: '', created } }))

/** Plain types: exactly these members. */
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
check<Is<Schemas['Account'], { id: number }>>(true)
check<Is<Requests['Account'], { password: string }>>(true)
check<Requests['User']>({ password: 'abc', name: 'Ada' })
check<Is<Schemas['Place'], [number, number]>>(true)
check<Is<Requests['Place'], Schemas['Place']>>(true)
check<Requests['Spot']['at']>([1, 2])
// @ts-expect-error a third member
check<Requests['Spot']['at']>([1, 2, 3])

check<{ id: number }>(await contract.schemas.Account.parse('{}'))
check<{ password: string }>(await contract.schemas.Account.received.parse('{}'))
const { Spot } = await contract.loadSchemas()
check<string>(Spot.stringify({ at: [1, 2] }))
// @ts-expect-error what a handler sends has no write-only property
Spot.stringify({ at: [1, 2], secret: '' })
// @ts-expect-error no such schema
void contract.schemas.received_Account
