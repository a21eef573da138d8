/** Finds conditions of requests that the declared responses leave without effect (RFC 9110, section 13.1). */
import type { Operation, Problem } from '@contract-first/contract'
import { type Operation as Compiled, declaredResponse } from '@contract-first/engine/model'

/** Returns a warning for each declared header that no response of the operation answers, or that its method ignores. */
export function conditionProblems(
  compiled: Pick<Compiled, 'method' | 'responses'>,
  { parameters }: Operation
): Problem[] {
  const { method, responses } = compiled
  const isRead = method === 'GET' || method === 'HEAD'
  const no412 = declaredResponse(compiled, 412) === undefined ? 'declares no response 412' : undefined
  const no304 = (responses['304'] ?? responses['3XX']) === undefined ? 'declares no response 304' : undefined
  const reasons = new Map([
    ['if-match', no412],
    ['if-none-match', isRead ? no304 : no412],
    ['if-modified-since', isRead ? no304 : 'is neither GET nor HEAD'],
    ['if-unmodified-since', no412]
  ])
  return parameters.flatMap(({ name, in: location, origin }) => {
    const reason = location === 'header' ? reasons.get(name.toLowerCase()) : undefined
    if (reason === undefined) return []
    const message = `${name} has no effect: the operation ${reason}`
    return [{ severity: 'warning', rule: 'condition', message, origin: origin.at('name') }]
  })
}
