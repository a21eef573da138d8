/** Uses of the types of contracts in test/contracts: a section for each, which is compiled beside its code. */

// agreement-3.0.yaml
import contract, { type components, type Handlers } from './contract.ts'
import { createContractServer } from 'ENGINE'

type Thing = components['schemas']['Thing']

export const nulls: Thing = { wide: null, few: null, loose: null }
export const values: Thing = { wide: 1n, few: 2n, strict: { a: 'x' }, loose: { a: 'x' }, lists: [['a'], []] }
export const undeclared: Thing = { undeclared: { a: 'x', b: null } }
export const upload: Pick<Handlers, 'upload'> = {
  upload: ({ body }) => {
    const file: typeof body.file = null
    return file === null ? { status: 204 } : { status: 204 }
  }
}

// @ts-expect-error a required name is missing
export const incomplete: Thing = { undeclared: { a: 'x' } }
// @ts-expect-error a required property of the nullable schema is missing
export const empty: Thing = { loose: {} }
// @ts-expect-error an item that is no list
export const flat: Thing = { lists: ['a'] }

export const inline = createContractServer({
  contract,
  handlers: {
    add: async () => ({ status: 200, body: { undeclared: { a: 'x', b: 1 } } }),
    upload: () => ({ status: 204 }),
    ping: async () => ({ status: 200, body: { state: 'up', code: 1 } })
  },
  security: {},
  errorBody: () => ({})
})

export const wrongInline = createContractServer({
  contract,
  handlers: {
    add: async () => ({ status: 200, body: {} }),
    upload: () => ({ status: 204 }),
    // @ts-expect-error a value that is not listed
    ping: async () => ({ status: 200, body: { state: 'sideways' } })
  },
  security: {},
  errorBody: () => ({})
})

// agreement.yaml
import contract, { type components } from './contract.ts'
import { contractRoutes, createContractServer } from 'ENGINE'

type Thing = components['schemas']['Thing']

export const nulls: Thing = { open: null, strict: null, either: null }
export const values: Thing = { open: { a: 'x', b: 1 }, widened: { a: 'x', b: 1, c: 'any' }, listed: 'a' }
export const tuples: Thing = { pair: [], pairs: ['a', 1, 2] }
export const pair: Thing = { pair: ['a', 1n] }
export const either: Thing = { either: { a: 'x', x: 1 } }

// @ts-expect-error `nullable` has no effect since OpenAPI 3.1
export const nullable: Thing = { before: null }
// @ts-expect-error a required name is missing
export const widened: Thing = { widened: { a: 'x', b: 1 } }
// @ts-expect-error a property beside the reference
export const sibling: Thing = { widened: { a: 'x', b: '1', c: 1 } }
// @ts-expect-error a listed value of another type
export const listed: Thing = { listed: null }
// @ts-expect-error more items than are declared
export const long: Thing = { pair: ['a', 1n, 2n] }
// @ts-expect-error the first item is required
export const short: Thing = { pairs: [] }

/** Tuples that handlers return, written inline. */
declare const app: Awaited<ReturnType<typeof createContractServer>>
const others = { security: {}, errorBody: () => ({}) }
export const server = createContractServer({
  contract,
  handlers: {
    add: async ({ url }) => {
      if (url === '/') return { status: 200, body: { pair: ['a', 1n], pairs: ['a', ...url.split('/').map(Number)] } }
      return { status: 200, body: { pairs: ['a'] } }
    }
  },
  ...others
})
export const plugin = app.register(contractRoutes, {
  contract,
  handlers: { add: () => ({ status: 200, body: { pair: ['a', 1n] } }) },
  ...others
})
export const wrong = createContractServer({
  contract,
  // @ts-expect-error an item of another type
  handlers: { add: () => ({ status: 200, body: { pair: ['a', true] } }) },
  ...others
})
export const tooLong = createContractServer({
  contract,
  // @ts-expect-error more items than are declared
  handlers: { add: async () => ({ status: 200, body: { pair: ['a', 1n, 2n] } }) },
  ...others
})

// discriminator.yaml
import type { Handlers, Schemas } from './contract.ts'

export const exact: Pick<Handlers, 'mapped'> = {
  mapped: ({ body }) => {
    if (body.kind === 'cat') return { status: 200, body: { kind: 'cat', lives: body.lives } }
    return { status: 200, body: { kind: 'hound', bark: body.bark, big: body.big ?? 1n } }
  }
}

/** Values are references or names; without a mapping, they are the names of the schemas. */
export const narrowed: Pick<Handlers, 'implied' | 'shapes'> = {
  implied: ({ body }) => {
    const value: number | boolean = body.kind === 'Cat' ? body.lives : body.bark
    return { status: value === 0 ? 204 : 204 }
  },
  shapes: ({ body }) => {
    // @ts-expect-error the parent's value of no alternative
    if (body.kind === 'line') return { status: 204 }
    switch (body.kind) {
      case 'circle':
      case 'ring':
        return { status: body.radius === 0 ? 204 : 204 }
      default:
        return { status: body.side === 0 ? 204 : 204 }
    }
  }
}

/** Outside of a union the property keeps its type, in heirs too. */
export const alone: Schemas['Cat'] = { kind: 'other', lives: 9 }
export const derived: Schemas['Derived'] = { type: 'other', more: 'text' }

export const wrong: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error it fits neither branch
  mapped: () => ({ status: 200, body: { kind: 'fish' } })
}

export const mismatched: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error it fits the branch of another value
  mapped: () => ({ status: 200, body: { kind: 'cat', bark: true } })
}

export const other: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error a value that selects no branch
  mapped: () => ({ status: 200, body: { kind: 'lion', lives: 9 } })
}

export const unselected: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error a cat outside of the union may have any value
  mapped: () => ({ status: 200, body: alone })
}
export const selected: Extract<Schemas['Mapped'], { kind: 'cat' }> = { kind: 'cat', lives: 9 }
export const helped: Pick<Handlers, 'mapped'> = { mapped: () => ({ status: 200, body: selected }) }

// optional-discriminator.yaml
import type { Handlers, Requests, Schemas } from './contract.ts'

/** Both directions narrow; a value without the property may be either alternative. */
export const narrowed: Pick<Handlers, 'plain'> = {
  plain: ({ body }) => {
    if (body?.view === 'private') return { status: 200, body: { view: 'private', secret: body.secret } }
    return { status: 200, body: { name: body?.name ?? '' } }
  }
}

/** Values that select nothing belong to the schema of defaultMapping. */
export const standard: readonly Schemas['Standard'][] = [
  { kind: 'Cat', lives: 9 },
  { kind: 'else', size: 1 },
  { size: 1 }
]
// @ts-expect-error no value for an alternative that is selected by its own
export const unselected: Schemas['Standard'] = { kind: 'else', lives: 9 }

/** The property is hidden from requests. */
export const received: Requests['Hidden'] = { a: 1 }
export const sent: Schemas['Hidden'] = { type: 'A', a: 1 }
// @ts-expect-error the value of the other alternative
export const mismatched: Schemas['Hidden'] = { type: 'B', a: 1 }
// @ts-expect-error the value of the other alternative
export const wrong: Schemas['Plain'] = { view: 'private', name: 'a' }

// dynamic-references.yaml
import type { Handlers } from './contract.ts'

export const bound: Pick<Handlers, 'numbers' | 'words'> = {
  numbers: ({ body }) => {
    const ids: bigint[] = body.items
    const next: bigint[] | undefined = body.next?.items
    return { status: 200, body: { items: [...ids, ...(next ?? [])] } }
  },
  words: ({ body }) => {
    const words: string[] = body.items
    return { status: 204, headers: { 'x-words': String(words.length) } }
  }
}

export const wrong: Pick<Handlers, 'numbers'> = {
  // @ts-expect-error the items are bigints here
  numbers: () => ({ status: 200, body: { items: ['a'] } })
}

// maps.yaml
import contract from './contract.ts'
import type { components } from './types.ts'
import { operationCodec } from 'CODEC'

type Maps = components['schemas']['Maps']

/** Values that the schemas allow. */
export const right: readonly Maps[] = [
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
]

export const wrong: readonly Maps[] = [
  // @ts-expect-error the type of a declared property
  { labels: { id: 'a', colour: 'green' } },
  // @ts-expect-error a required property
  { labels: { colour: 'green' } },
  // @ts-expect-error the type of all others
  { labels: { id: 1, colour: true } },
  // @ts-expect-error a type of no pattern
  { prefixed: { 'x-a': true } },
  // @ts-expect-error a value that is not listed
  { nullable: { other: 'c' } }
]

declare const received: Maps
export const id: number | undefined = received.labels?.id
export const other: string | number | undefined = received.labels?.['colour']

const of = { operationId: 'exchange', mediaType: 'application/json', status: 200, file: 'x.ts' } as const
// @ts-expect-error no such operation
export const noOperation = operationCodec(contract, { ...of, operationId: 'other' })
// @ts-expect-error no such media type
export const noMediaType = operationCodec(contract, { ...of, mediaType: 'text/plain' })
// @ts-expect-error no such status
export const noStatus = operationCodec(contract, { ...of, status: 201 })
const codec = await operationCodec(contract, of)
// @ts-expect-error no such property
export const noProperty = codec.declared({}).other
export const parsed: Maps = codec.parse(Buffer.from('{}'))
export const serialized: string = codec.serialize({ labels: { id: 1 } })

export const labelled: number = contract.schemas.Labels.parse('{"id":1}').id
const loaded = await contract.loadSchemas()
// @ts-expect-error labels have an id
export const stringified = loaded.Labels.stringify({})

// int64.yaml
import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'echo'> = {
  echo: ({ params, query, headers, body }) => {
    const id: bigint = params.id
    const after: bigint = query.after
    const ids: bigint[] | undefined = query.ids
    const header: bigint | undefined = headers['x-id']
    const few: 9007199254740993n | 1n | undefined = body?.few
    const maybe: bigint | null | undefined = body?.maybe
    const word: -9007199254740993n | 'all' | null | undefined = body?.word
    const only: 9007199254740993n | undefined = body?.only
    const mixed: 1n | boolean | undefined = body?.mixed
    const plain: number | undefined = body?.plain
    const text: string | undefined = body?.text
    return {
      status: 200,
      body: {
        id: id + after + (ids?.[0] ?? 0n) + (header ?? 0n) + (few ?? 0n) + (maybe ?? 0n) + (only ?? 0n) + (typeof word === 'bigint' ? word : 0n) + (typeof mixed === 'bigint' ? mixed : 0n),
        plain: plain ?? 0,
        text: text ?? ''
      }
    }
  }
}

export const wrong: Pick<Handlers, 'echo'> = {
  // @ts-expect-error int64 is not a number
  echo: () => ({ status: 200, body: { id: 1 } })
}

export const wider: Pick<Handlers, 'echo'> = {
  // @ts-expect-error a plain integer is not a bigint
  echo: () => ({ status: 200, body: { plain: 1n } })
}

// recursive.yaml
import type { Handlers } from './contract.ts'

export const values: Pick<Handlers, 'value' | 'layers'> = {
  value: ({ body }) => {
    const first = Array.isArray(body) ? body[0] : body
    const second = Array.isArray(first) ? first[0] : first
    return { status: 200, body: [typeof second === 'bigint' ? second : 1n, ['a', { b: [2n] }]] }
  },
  layers: ({ body }) => ({ status: 200, body: [...body, [[]], []] })
}

export const wrong: Pick<Handlers, 'value' | 'layers'> = {
  // @ts-expect-error a boolean is not allowed at any depth
  value: () => ({ status: 200, body: [['a', [true]]] }),
  // @ts-expect-error a scalar is not a list
  layers: () => ({ status: 200, body: [[1]] })
}

export const blocks: Pick<Handlers, 'blocks'> = {
  blocks: ({ body }) => ({ status: 200, body: { ...body, type: 'size', size: 1n } })
}
export const incomplete: Pick<Handlers, 'blocks'> = {
  // @ts-expect-error a block is one of its alternatives
  blocks: () => ({ status: 200, body: { type: 'size' } })
}

// names.yaml
import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'toString' | 'delete' | 'a-b' | 'a_b' | '1#/~'> = {
  toString: ({ params, query, body }) => {
    const all: number = params.constructor + (query.hasOwnProperty ?? 0)
    const wide: bigint | undefined = body?.hasOwnProperty
    return { status: 200, body: { toString: all, hasOwnProperty: wide ?? 0n, valueOf: {} } }
  },
  delete: () => ({ status: 200, body: { class: 'x' } }),
  'a-b': () => ({ status: 200, body: { x: 1 } }),
  a_b: () => ({ status: 200, body: { y: 1 } }),
  '1#/~': () => ({ status: 204 })
}

// read-write-only.yaml
import contract, { type Handlers, type Requests, type Schemas } from './contract.ts'

const created = '2026-01-02T03:04:05Z'

export const exact: Handlers = {
  register: ({ body }) => {
    const password: string = body.password
    return { status: 201, body: { id: password.length, name: body.name, created } }
  }
}

export const reads: Handlers = {
  // @ts-expect-error a request has no read-only property
  register: ({ body }) => ({ status: 201, body: { id: body.id, name: '', created } })
}

export const writes: Handlers = {
  // @ts-expect-error a response has every required read-only property
  register: () => ({ status: 201, body: { name: '', created } })
}

/** Plain types: exactly these members. */
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const sent: Is<Schemas['Account'], { id: number }> = true
export const received: Is<Requests['Account'], { password: string }> = true
export const user: Requests['User'] = { password: 'abc', name: 'Ada' }
export const place: Is<Schemas['Place'], [number, number]> = true
export const unmarked: Is<Requests['Place'], Schemas['Place']> = true
export const tuple: Requests['Spot']['at'] = [1, 2]
// @ts-expect-error a third member
export const triple: Requests['Spot']['at'] = [1, 2, 3]

export async function codecs(): Promise<void> {
  const account: { id: number } = await contract.schemas.Account.parse('{}')
  const secret: { password: string } = await contract.schemas.Account.received.parse('{}')
  const { Spot } = await contract.loadSchemas()
  const text: string = Spot.stringify({ at: [account.id, secret.password.length] })
  // @ts-expect-error what a handler sends has no write-only property
  Spot.stringify({ at: [1, 2], secret: text })
  // @ts-expect-error no such schema
  contract.schemas.received_Account
}
