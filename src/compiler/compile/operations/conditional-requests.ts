/** Finds conditions of requests that the declared responses leave without effect (RFC 9110, sections 13.1.1 and 13.1.2). */
import { declaredResponse, type Operation } from '@contract-first/engine/model'
import type { Parameter } from '../document/parameter-objects.ts'
import type { AnnotationProblem } from './annotations.ts'

/** Returns a warning for each declared header that no response of the operation answers. */
export function conditionProblems(
  operation: Pick<Operation, 'method' | 'responses'>,
  parameters: readonly Parameter[]
): AnnotationProblem[] {
  const { method, responses } = operation
  const isRead = method === 'GET' || method === 'HEAD'
  const canFail = declaredResponse(operation, 412) !== undefined
  const isAnswered: Readonly<Record<string, boolean>> = {
    'if-match': canFail,
    'if-none-match': isRead ? (responses['304'] ?? responses['3XX']) !== undefined : canFail
  }
  return parameters.flatMap(({ name, in: location, node }) => {
    if (location !== 'header' || isAnswered[name.toLowerCase()] !== false) return []
    const status = isRead && name.toLowerCase() === 'if-none-match' ? 304 : 412
    const message = `${name} has no effect: the operation declares no response ${status}`
    return [{ severity: 'warning', message, node, key: 'name' }]
  })
}
