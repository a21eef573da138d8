import type { components, Handlers, webhooks } from './contract.ts'

type Sent = NonNullable<webhooks['event']['post']['requestBody']>['content']['application/json']
export const event: Sent = { id: 1n } satisfies components['schemas']['Event']
export const exact: Handlers = { subscribe: ({ body }) => ({ status: body.url === '' ? 201 : 201 }) }
// @ts-expect-error webhooks are not served
export const surplus: Handlers = { ...exact, onEvent: () => ({ status: 200 }) }
