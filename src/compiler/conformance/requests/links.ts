/** Links of responses (OpenAPI 3.1.0, section 4.8.20): values of an exchange for the parameters of other operations. */
import type { LinkValue } from '@contract-first/contract'
import type { JsonObject } from '../../compile/document/json-value.ts'
import { unescapePointer } from '../../compile/document/pointer.ts'
import { atPath } from '../../compile/document/reference.ts'
import { type Draft, sourceOf } from '../../instances/requests/draft.ts'

interface Linked {
  readonly operationId: string
  readonly parameter: string
  readonly value: unknown
}

interface Given {
  readonly draft: Draft
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body of the answer, integers exact. */
  readonly body: unknown
}

export function linkedValues(given: Given): readonly Linked[] {
  return (sourceOf(given.draft.subject.declared, given.status)?.links ?? []).flatMap(
    ({ operation, parameters }) =>
      [...parameters].flatMap(([name, linked]) => {
        const value = evaluated(linked, given)
        if (operation === undefined || value === undefined) return []
        const parameter = name.replace(/^(path|query|querystring|header|cookie)\./, '')
        return [{ operationId: operation.id, parameter, value }]
      })
  )
}

/** Evaluates runtime expressions (OpenAPI 3.1.0, section 4.8.20.3); everything else is a constant. */
function evaluated(linked: LinkValue, { draft, headers, body }: Given): unknown {
  if ('value' in linked) return linked.value
  const [, place = '', rest = ''] =
    /^\$(response\.body|request\.body|response\.header|request\.\w+)[#.](.*)$/.exec(linked.expression) ?? []
  if (place === 'response.body') return atPointer(body, rest)
  if (place === 'request.body') return atPointer(draft.body?.value, rest)
  if (place === 'response.header') return headers[rest.toLowerCase()]
  const index = draft.subject.parameters.findIndex(
    ({ spec }) => place === `request.${spec.in}` && spec.name === rest
  )
  return draft.values[index]
}

const atPointer = (root: unknown, pointer: string): unknown =>
  atPath(root as JsonObject, pointer.split('/').slice(1).map(unescapePointer))
