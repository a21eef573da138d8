/** Uses of the types of contracts in test/contracts: a section for each, which is compiled beside its code. */

// forms.yaml
import type { Handlers } from './contract.ts'

declare const upload: Asked<Handlers['upload']>
if (upload.mediaType === 'application/json') check<string>(upload.body.picture)
else {
  check<Buffer>(upload.body.file)
  check<Buffer[] | undefined>(upload.body.files)
  check<Buffer | null | undefined>(upload.body.octets)
  check<Buffer | undefined>(upload.body.picture)
  check<bigint | undefined>(upload.body.metas?.[0]?.id)
  check<string | undefined>(upload.body.text)
  // @ts-expect-error bytes are not a string
  check<string | undefined>(upload.body.picture)
}
declare const map: Asked<Handlers['map']>
if (map.mediaType === 'multipart/form-data') check<Buffer | undefined>(map.body['a'])
else check<string | undefined>(map.body.name)
check<Handlers['mixed']>(({ body }) => ({ status: Buffer.isBuffer(body satisfies Buffer) ? 204 : 204 }))

// uploads.yaml
import type { FilePart, Handlers } from './contract.ts'

declare const body: Asked<Handlers['addPhoto']>['body']
check<Buffer | undefined>(body.photo)
check<FilePart | undefined>(body.scans?.[0])
check<string | undefined>(body.photo?.filename)
check<string | undefined>(body.scan?.mediaType)
check<string | undefined>(body.title)
// @ts-expect-error a text has no file name
void body.title?.filename

// querystring.yaml
import type { Handlers } from './contract.ts'

check<Handlers['find']>(({ query }) => {
  const from: string | undefined = query?.from
  const seats: bigint | undefined = query?.seats
  // @ts-expect-error the query may be missing
  const missing: string = query.from
  return { status: from === missing && seats === 1n ? 204 : 204 }
})
check<Handlers['book']>(({ query }) => ({ status: query.from === '' ? 204 : 204 }))
check<Handlers['report']>(({ query, params, headers }) => {
  check<[bigint, number | undefined, number, number | undefined]>([query.n, query.part, params.day, headers['x-page']])
  // @ts-expect-error a property that handlers do not receive
  return { status: query.own ? 204 : 204 }
})
check<Handlers['count']>(({ query }) => ({ status: query === 1n ? 204 : 204 }))
check<Handlers['select']>(({ query }) => ({ status: query.length === 1 ? 204 : 204 }))
// A default.
check<Handlers['level']>(({ query }) => ({ status: query.toFixed() === '' ? 204 : 204 }))

// parameter-styles.yaml
import type { Handlers } from './contract.ts'

type Given = { readonly [Name in keyof Handlers]: Asked<Handlers[Name]> }
declare const given: Given
const { query, simple, header, cookie, json } = given

check<number>(query.query.limit)
check<bigint | undefined>(query.query.wide)
check<string[] | undefined>(query.query.filter?.tags)
check<number[] | undefined>(query.query.form)
check<number[]>(simple.params.list)
check<number>(header.headers['x-count'])
check<string>(cookie.cookies.session)
check<bigint | undefined>(json.query.json?.id)
check<bigint | undefined>(json.query.range.from)
check<bigint[] | undefined>(json.headers['x-ids'])

// @ts-expect-error no such parameter
void query.query.nothing
// @ts-expect-error an optional parameter without a default may be absent
void query.query.form.length
// @ts-expect-error a parameter named Accept is ignored
void header.headers.accept

// media-types.yaml
import { Readable } from 'node:stream'
import type { Handlers } from './contract.ts'

check<Handlers>({
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
})
const headers = { 'Content-Length': 1 }
check<Handlers['bytes']>(({ body }) => ({ status: 200, body: Readable.from([body]), headers }))
// @ts-expect-error a length is a number
check<Handlers['bytes']>(({ body }) => ({ status: 200, body, headers: { 'Content-Length': 'all' } }))
// @ts-expect-error the media type must be checked first
check<Handlers['store']>(({ body }) => ({ status: 200, body: body.trim() }))

// openapi-3.2.yaml
import type { Handlers, webhooks } from './contract.ts'

check<Handlers['copyThing']>(({ params, headers, body, operation }) => {
  const { method }: { method: 'COPY' } = operation
  const id: bigint = params.id
  // @ts-expect-error an int64 is no number
  const wrong: number = params.id
  return { status: 201, body: body?.deep === true ? id : BigInt(method.length + headers.destination.length + wrong) }
})
check<Handlers['m__search_things_by_id']>(() => ({ status: 204 }))
// @ts-expect-error no such status
check<Handlers['m__search_things_by_id']>(() => ({ status: 200 }))
check<Handlers['lockJoined']>(({ query }) => ({ status: query.q > 1 ? 204 : 204 }))

type Moved = webhooks['FETCH moved']['get']
check<NonNullable<webhooks['QUERY moved']['get']['requestBody']>['content']['application/json']>(1n)
check<Moved['parameters']['header']['X-Id']>(1n)
check<Moved['responses'][200]['content']['application/json']>('a')

// webhooks.yaml
import { createSender } from 'SENDER'
import contract, { type components, type Handlers, type webhooks } from './contract.ts'

check<webhooks['account']['put']['requestBody']['content']['application/json']>({ id: 'a' })
type Sent = NonNullable<webhooks['event']['post']['requestBody']>['content']['application/json']
check<Sent>({ id: 1n } satisfies components['schemas']['Event'])
const exact: Handlers = { subscribe: ({ body }) => ({ status: body.url === '' ? 201 : 201 }) }
// @ts-expect-error webhooks are not served
check<Handlers>({ ...exact, onEvent: () => ({ status: 200 }) })

const url = 'https://a.example'
const sender = createSender(contract)
const { status } = await sender.onEvent({ url, body: { id: 1n } })
check<200>(status)
sender.subscribe({ on: { request: { body: { url } } }, body: {} })
// @ts-expect-error int64 is not a number
sender.onEvent({ url, body: { id: 200 } })
const { body } = await sender.onAccount({ url, body: { id: 'a' } })
check<string>(body.secret)
// @ts-expect-error a receiver of data does not own it
void body.id
// @ts-expect-error the owner of data does not send what is writeOnly
sender.onAccount({ url, body: { id: 'a', secret: '' } })
// @ts-expect-error readOnly properties are required of the owner of data
sender.onAccount({ url, body: {} })
// @ts-expect-error a webhook has no target of its own
sender.onEvent({ on: { request: {} } })
sender.onSigned({ url, headers: { 'x-signature': 'a', 'x-event': 1 } })
// @ts-expect-error a required header is given by the call
sender.onSigned({ url, headers: { 'x-event': 1 } })
const signing = createSender(contract, { sign: async ({ body }) => ({ 'X-Signature': String(body) }) })
signing.onSigned({ url, headers: { 'x-event': 1 } })
signing.onEvent({ url, body: { id: 1n } })
// @ts-expect-error what `sign` gives is text
signing.onSigned({ url, headers: { 'x-event': 1, 'x-signature': 1 } })
// @ts-expect-error `sign` does not give this one
signing.onSigned({ url })
const all = createSender(contract, { sign: () => ({ 'X-Signature': 'a', 'X-Event': '1' }) })
all.onSigned({ url })
