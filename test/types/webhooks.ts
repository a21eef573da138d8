import { createSender } from 'SENDER'
import contract, { type components, type Handlers, type webhooks } from './contract.ts'

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
  // @ts-expect-error a webhook has no target of its own
  await sender.onEvent({ on: { request: {} } })
}
