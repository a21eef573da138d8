/** Uses of the types of contracts in test/contracts: a section for each, which is compiled beside its code. */

// forms.yaml
import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'upload' | 'map' | 'mixed'> = {
  upload: ({ body, mediaType }) => {
    if (mediaType === 'application/json') {
      const text: string = body.picture
      return { status: text === '' ? 204 : 204 }
    }
    const file: Buffer = body.file
    const files: Buffer[] | undefined = body.files
    const octets: Buffer | null | undefined = body.octets
    const picture: Buffer | undefined = body.picture
    const id: bigint | undefined = body.metas?.[0]?.id
    const text: string | undefined = body.text
    return { status: file && files && octets && picture && id && text ? 204 : 204 }
  },
  map: ({ body, mediaType }) => {
    if (mediaType === 'multipart/form-data') {
      const picture: Buffer | undefined = body['a']
      return { status: picture ? 204 : 204 }
    }
    const name: string | undefined = body.name
    return { status: name ? 204 : 204 }
  },
  mixed: ({ body }) => ({ status: Buffer.isBuffer(body satisfies Buffer) ? 204 : 204 })
}

export const wrong: Pick<Handlers, 'upload'> = {
  upload: ({ body, mediaType }) => {
    // @ts-expect-error bytes are not a string
    const text: string | undefined = mediaType === 'multipart/form-data' ? body.picture : undefined
    return { status: text ? 204 : 204 }
  }
}

// uploads.yaml
import type { FilePart, Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'addPhoto'> = {
  addPhoto: ({ body }) => {
    const photo: Buffer | undefined = body.photo
    const file: FilePart | undefined = body.scans?.[0]
    const filename: string | undefined = body.photo?.filename
    const mediaType: string | undefined = body.scan?.mediaType
    const title: string | undefined = body.title
    return { status: photo && file && filename && mediaType && title ? 204 : 204 }
  }
}

export const wrong: Pick<Handlers, 'addPhoto'> = {
  addPhoto: ({ body }) => {
    // @ts-expect-error a text has no file name
    const filename: string | undefined = body.title?.filename
    return { status: filename ? 204 : 204 }
  }
}

// querystring.yaml
import type { Handlers } from './contract.ts'

export const find: Handlers['find'] = ({ query }) => {
  const from: string | undefined = query?.from
  const seats: bigint | undefined = query?.seats
  // @ts-expect-error the query may be missing
  const missing: string = query.from
  return { status: from === missing && seats === 1n ? 204 : 204 }
}
export const book: Handlers['book'] = ({ query }) => ({ status: query.from === '' ? 204 : 204 })
export const report: Handlers['report'] = ({ query, params, headers }) => {
  const numbers: [bigint, number | undefined, number, number | undefined] = [
    query.n,
    query.part,
    params.day,
    headers['x-page']
  ]
  // @ts-expect-error a property that handlers do not receive
  return { status: numbers.includes(query.own) ? 204 : 204 }
}
export const count: Handlers['count'] = ({ query }) => ({ status: query === 1n ? 204 : 204 })
export const select: Handlers['select'] = ({ query }) => ({ status: query.length === 1 ? 204 : 204 })
// A default.
export const level: Handlers['level'] = ({ query }) => ({ status: query.toFixed() === '' ? 204 : 204 })

// parameter-styles.yaml
import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'query' | 'simple' | 'header' | 'cookie'> = {
  query: ({ query }) => {
    const limit: number = query.limit
    const wide: bigint | undefined = query.wide
    const tags: string[] | undefined = query.filter?.tags
    const form: number[] | undefined = query.form
    return { status: limit > 0 && wide && tags && form ? 204 : 204 }
  },
  simple: ({ params }) => {
    const list: number[] = params.list
    return { status: list.length > 0 ? 204 : 204 }
  },
  header: ({ headers }) => {
    const count: number = headers['x-count']
    return { status: count > 0 ? 204 : 204 }
  },
  cookie: ({ cookies }) => {
    const session: string = cookies.session
    return { status: session === '' ? 204 : 204 }
  }
}

export const json: Pick<Handlers, 'json'> = {
  json: ({ query, headers }) => {
    const id: bigint | undefined = query.json?.id
    const from: bigint | undefined = query.range.from
    const ids: bigint[] | undefined = headers['x-ids']
    return { status: id && from && ids ? 204 : 204 }
  }
}

export const wrong: Pick<Handlers, 'query'> = {
  // @ts-expect-error no such parameter
  query: ({ query }) => ({ status: query.nothing ? 204 : 204 })
}

export const optional: Pick<Handlers, 'query'> = {
  // @ts-expect-error an optional parameter without a default may be absent
  query: ({ query }) => ({ status: query.form.length > 0 ? 204 : 204 })
}

export const unread: Pick<Handlers, 'header'> = {
  // @ts-expect-error a parameter named Accept is ignored
  header: ({ headers }) => ({ status: headers.accept ? 204 : 204 })
}

// media-types.yaml
import { Readable } from 'node:stream'
import type { Handlers } from './contract.ts'

export const exact: Handlers = {
  store: (request) => {
    if (request.mediaType === 'application/json') return { status: 200, body: { a: request.body.a } }
    if (request.mediaType === 'text/plain') return { status: 200, body: request.body.trim() }
    if (request.mediaType === 'image/*') return { status: 200, body: String(request.body.byteLength) }
    if (request.mediaType === undefined) return { status: 200, body: request.body ?? '' }
    return { status: 200, body: {} }
  },
  textJson: ({ body }) => ({ status: 200, body: { a: Number(body.a ?? 0n) } }),
  anything: () => ({ status: 200, body: 'text' }),
  bytes: ({ body }) => ({ status: 200, body: body.subarray(1) })
}

export const sized: Pick<Handlers, 'bytes'> = {
  bytes: ({ body }) => ({ status: 200, body: Readable.from([body]), headers: { 'Content-Length': body.length } })
}

export const wrong: Pick<Handlers, 'store' | 'bytes'> = {
  // @ts-expect-error a length is a number
  bytes: ({ body }) => ({ status: 200, body, headers: { 'Content-Length': 'all' } }),
  // @ts-expect-error the media type must be checked first
  store: ({ body }) => ({ status: 200, body: body.trim() })
}

// openapi-3.2.yaml
import type { Handlers, webhooks } from './contract.ts'

type Handler<Name extends keyof Handlers> = Handlers[Name]

export const copyThing: Handler<'copyThing'> = ({ params, headers, body, operation }) => {
  const { method }: { method: 'COPY' } = operation
  const id: bigint = params.id
  // @ts-expect-error an int64 is no number
  const wrong: number = params.id
  return { status: 201, body: body?.deep === true ? id : BigInt(method.length + headers.destination.length + wrong) }
}
export const search: Handler<'m__search_things_by_id'> = () => ({ status: 204 })
// @ts-expect-error no such status
export const surplus: Handler<'m__search_things_by_id'> = () => ({ status: 200 })
export const joined: Handler<'lockJoined'> = ({ query }) => ({ status: query.q > 1 ? 204 : 204 })

export const sent: NonNullable<
  webhooks['QUERY moved']['get']['requestBody']
>['content']['application/json'] = 1n
export const header: webhooks['FETCH moved']['get']['parameters']['header']['X-Id'] = 1n
export const answered: webhooks['FETCH moved']['get']['responses'][200]['content']['application/json'] = 'a'

// webhooks.yaml
import { createSender } from 'SENDER'
import contract, { type components, type Handlers, type webhooks } from './contract.ts'

type Account = webhooks['account']['put']['requestBody']['content']['application/json']
export const account: Account = { id: 'a' }
type Sent = NonNullable<webhooks['event']['post']['requestBody']>['content']['application/json']
export const event: Sent = { id: 1n } satisfies components['schemas']['Event']
export const exact: Handlers = { subscribe: ({ body }) => ({ status: body.url === '' ? 201 : 201 }) }
// @ts-expect-error webhooks are not served
export const surplus: Handlers = { ...exact, onEvent: () => ({ status: 200 }) }

const sender = createSender(contract)
export async function send(): Promise<void> {
  const { status } = await sender.onEvent({ url: 'https://a.example', body: { id: 1n } })
  const exact: 200 = status
  await sender.subscribe({ on: { request: { body: { url: 'https://a.example' } } }, body: {} })
  // @ts-expect-error int64 is not a number
  await sender.onEvent({ url: 'https://a.example', body: { id: exact } })
  const { body } = await sender.onAccount({ url: 'https://a.example', body: { id: 'a' } })
  const secret: string = body.secret
  // @ts-expect-error a receiver of data does not own it
  const id = body.id
  // @ts-expect-error the owner of data does not send what is writeOnly
  await sender.onAccount({ url: 'https://a.example', body: { id, secret } })
  // @ts-expect-error readOnly properties are required of the owner of data
  await sender.onAccount({ url: 'https://a.example', body: {} })
  // @ts-expect-error a webhook has no target of its own
  await sender.onEvent({ on: { request: {} } })
  const url = 'https://a.example'
  await sender.onSigned({ url, headers: { 'x-signature': 'a', 'x-event': 1 } })
  // @ts-expect-error a required header is given by the call
  await sender.onSigned({ url, headers: { 'x-event': 1 } })
  const signing = createSender(contract, { sign: async ({ body }) => ({ 'X-Signature': String(body) }) })
  await signing.onSigned({ url, headers: { 'x-event': 1 } })
  // @ts-expect-error what `sign` gives is text
  await signing.onSigned({ url, headers: { 'x-event': 1, 'x-signature': 1 } })
  // @ts-expect-error `sign` does not give this one
  await signing.onSigned({ url })
  const { status: seen } = await signing.onEvent({ url, body: { id: 1n } })
  const all = createSender(contract, { sign: () => ({ 'X-Signature': 'a', 'X-Event': String(seen) }) })
  await all.onSigned({ url })
}
