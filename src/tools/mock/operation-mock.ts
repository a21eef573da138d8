/** Answers the requests of one operation: the status, media type, body and headers that the client prefers. */

import type { Schema } from '@contract-first/contract'
import { FailureError } from '@contract-first/engine/errors'
import { negotiate } from '@contract-first/engine/media-types'
import { bodiless, type ResponseContent } from '@contract-first/engine/model'
import { examplesIn } from '../samples/plain-instance.ts'
import type { Subject } from '../samples/requests/draft.ts'
import { type Bodies, bodyFor, type MockSource } from './body.ts'
import {
  accepting,
  contentOf,
  type DeclaredResponse,
  responseHeaders,
  responseOf,
  usualStatus
} from './declared-responses.ts'
import { concreteType, type Preferences, paceOf, preferenceApplied } from './prefer.ts'

export interface MockResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers: Readonly<Record<string, unknown>>
  /** Returns whether the answer may have another body; absent for one that is no JSON. */
  readonly accepts?: (body: unknown) => boolean
  /** Schema of a body that is JSON, if it has one. */
  readonly schema?: Schema | undefined
  /** Time between two items, for a body that is a list of items to send one by one. */
  readonly waitMs?: number
}

export class OperationMock {
  readonly #subject: Subject
  readonly #source: MockSource
  readonly #bodies: Bodies = new Map()
  #dynamic = 0

  constructor(subject: Subject, source: MockSource) {
    this.#subject = subject
    this.#source = source
  }

  /** @throws {FailureError} 404 for undeclared responses, 406 for contents that `Accept` excludes */
  answer(preferences: Preferences, accept: string | undefined): MockResponse {
    const response = this.#response(preferences)
    const { content } = response
    const name = preferences.get('example')
    const candidates = name === undefined ? content : this.#having(response, name)
    const offered = candidates.map(({ mediaType }) => mediaType)
    const accepted = candidates[negotiate(accept, offered)]
    const chosen = accepted ?? (response.status >= 300 ? candidates[0] : undefined)
    if (chosen === undefined && candidates.length > 0) throw notAcceptable(offered)
    return this.#made(response, chosen, preferences, accept)
  }

  #response(preferences: Preferences): DeclaredResponse {
    const { operation } = this.#subject
    const code = preferences.get('code')
    const status = code ?? usualStatus(operation)
    const found = status === undefined ? undefined : responseOf(this.#subject, Number(status))
    if (found !== undefined) return found
    if (code !== undefined) throw undeclared(`code ${code}`, 'responses', Object.keys(operation.responses))
    throw new FailureError('not-implemented', { message: 'no response is declared that a server can send' })
  }

  #having(response: DeclaredResponse, name: string): ResponseContent[] {
    const namesOf = (content: ResponseContent) =>
      examplesIn(contentOf(response, content)).flatMap((example) => example.name ?? [])
    const found = response.content.filter((content) => namesOf(content).includes(name))
    if (found.length > 0) return found
    throw undeclared(`example ${name}`, 'examples', [...new Set(response.content.flatMap(namesOf))])
  }

  #made(
    response: DeclaredResponse,
    content: ResponseContent | undefined,
    preferences: Preferences,
    accept: string | undefined
  ): MockResponse {
    const isDynamic = preferences.get('dynamic')?.toLowerCase() === 'true' && !preferences.has('example')
    const seed = this.#source.seed + (isDynamic ? ++this.#dynamic : 0)
    const source = { ...this.#source, seed, isDynamic }
    const headers = responseHeaders(response, source)
    const followed = isDynamic ? ['code', 'dynamic'] : ['code']
    const applied = new Map([...preferences].filter(([name]) => followed.includes(name)))
    if (content === undefined || bodiless.has(response.status))
      return { status: response.status, headers: withApplied(headers, applied) }
    const { operationId } = this.#subject.operation
    const mediaType = concreteType(content.mediaType, accept)
    const declared = contentOf(response, content)
    const label = `${operationId} ${response.status}`
    const wanted = { content, declared, mediaType, name: preferences.get('example'), label }
    const { body, exampleName } = bodyFor(wanted, source, this.#bodies)
    if (exampleName !== undefined && preferences.has('example')) applied.set('example', exampleName)
    const needsType = response.content.length > 1 || content.mediaType.includes('*')
    if (needsType) headers['content-type'] = withCharset(mediaType)
    const answer = {
      status: response.status,
      body,
      headers: withApplied(headers, applied),
      ...(content.kind === 'json' && {
        accepts: accepting(content, this.#source.code),
        schema: declared.schema
      })
    }
    return content.items === undefined ? answer : sequence(answer, preferences, applied)
  }
}

/** Repeats the items up to the preferred number. */
function sequence(
  answer: MockResponse,
  preferences: Preferences,
  applied: Map<string, string>
): MockResponse {
  const { items, waitMs } = paceOf(preferences)
  const list = answer.body as readonly unknown[]
  for (const name of ['items', 'wait']) {
    const wanted = preferences.get(name)
    if (wanted !== undefined) applied.set(name, wanted)
  }
  const length = list.length === 0 ? 0 : (items ?? list.length)
  const body = Array.from({ length }, (_, index) => list[index % list.length])
  return { ...answer, body, headers: withApplied(answer.headers, applied), waitMs }
}

function withApplied(headers: MockResponse['headers'], applied: Preferences): Record<string, unknown> {
  return applied.size === 0 ? headers : { ...headers, 'preference-applied': preferenceApplied(applied) }
}

/** Adds the charset of texts, UTF-8. */
const withCharset = (mediaType: string): string =>
  mediaType.startsWith('text/') && !mediaType.includes('charset=') ? `${mediaType}; charset=utf-8` : mediaType

function undeclared(what: string, kind: string, names: readonly string[]): FailureError {
  const list = names.length === 0 ? `no ${kind} are declared` : `declared ${kind}: ${names.join(', ')}`
  return new FailureError('not-found', { message: `${what} is not declared; ${list}` })
}

function notAcceptable(offered: readonly string[]): FailureError {
  const message = `none of the media types in Accept is offered: ${offered.join(', ')}`
  return new FailureError('not-acceptable', { message })
}
