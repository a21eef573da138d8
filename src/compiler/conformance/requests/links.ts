/** Links of responses (OpenAPI 3.1.0, section 4.8.20): values of an exchange for the parameters of other operations. */
import { type Json, type JsonObject, objectOf, own, stringOf } from '../../compile/document/json-value.ts'
import { fragmentSegments, unescapePointer } from '../../compile/document/pointer.ts'
import { atPath, resolved } from '../../compile/document/reference.ts'
import type { Draft, Subject } from '../../instances/requests/draft.ts'

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

export function linkedValues(
  document: JsonObject,
  subjects: readonly Subject[],
  given: Given
): readonly Linked[] {
  const responses = objectOf(own(given.draft.subject.node, 'responses'))
  const range = `${Math.floor(given.status / 100)}XX`
  const response = own(responses, String(given.status)) ?? own(responses, range) ?? own(responses, 'default')
  const links = objectOf(own(resolved(document, response), 'links'))
  return Object.values(links).flatMap((link) => {
    const node = resolved(document, link)
    const operationId = targetOf(node, subjects)
    if (operationId === undefined) return []
    return Object.entries(objectOf(own(node, 'parameters'))).flatMap(([name, expression]) => {
      const value = evaluated(expression, given)
      return value === undefined
        ? []
        : [{ operationId, parameter: name.replace(/^(path|query|querystring|header|cookie)\./, ''), value }]
    })
  })
}

function targetOf(link: JsonObject, subjects: readonly Subject[]): string | undefined {
  const id = stringOf(own(link, 'operationId'))
  if (id !== undefined) return id
  const reference = stringOf(own(link, 'operationRef')) ?? ''
  const [, path = '', ...at] = fragmentSegments(reference.slice(reference.indexOf('#')))
  const name = `${String(at.at(-1)).toUpperCase()} ${path}`
  return subjects.find((subject) => subject.name === name)?.operation.operationId
}

/** Evaluates runtime expressions (OpenAPI 3.1.0, section 4.8.20.3); everything else is a constant. */
function evaluated(expression: Json, { draft, headers, body }: Given): unknown {
  const text = stringOf(expression)
  if (text === undefined || !text.startsWith('$')) return expression
  const [, place = '', rest = ''] =
    /^\$(response\.body|request\.body|response\.header|request\.\w+)[#.](.*)$/.exec(text) ?? []
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
