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
