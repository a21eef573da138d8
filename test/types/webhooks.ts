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
