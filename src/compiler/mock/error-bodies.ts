/**
 * Makes the bodies of failures from the schema that the contract declares for the status, with the message of the
 * failure.
 */

import type { Failure } from '@contract-first/engine/errors'
import { declaredResponse, type ResponseContent } from '@contract-first/engine/model'
import { errorContent } from '@contract-first/engine/steps'
import { valueFor } from '../instances/plain-instance.ts'
import type { Subject } from '../instances/requests/draft.ts'
import { accepting, contentOf, DeclaredResponses, type ValueSource } from './declared-responses.ts'

interface ErrorSource extends ValueSource {
  readonly subjects: readonly Subject[]
}

interface Named {
  readonly operationId: string | undefined
}
type ErrorOf = (failure: Failure & Named) => unknown

export function errorBodies(source: ErrorSource): ErrorOf {
  const { subjects, code } = source
  const templates = new Map<string, unknown>()
  const known = new Map<string, unknown>()
  const named = new Map<unknown, Subject>(subjects.map((each) => [each.operation.operationId, each]))
  return (failure) => {
    const { status, operationId } = failure
    const subject = operationId === undefined ? declaring(subjects, status) : named.get(operationId)
    const content = subject && errorContent(declaredResponse(subject.operation, status)?.content ?? [])
    if (subject === undefined || content === undefined) return plainBody(failure)
    if (content.kind !== 'json') return failure.message
    const key = `${content.validate} ${status}`
    if (!templates.has(key)) templates.set(key, template(subject, content, { ...source, status }))
    // The boot tries the same failures for every operation.
    const text = `${key} ${failure.code} ${operationId === undefined} ${failure.message}`
    if (known.size > maxKnown) known.clear()
    if (!known.has(text)) known.set(text, worded(templates.get(key), failure, accepting(content, code)))
    return known.get(text) ?? plainBody(failure)
  }
}

/** Most bodies that are kept. */
const maxKnown = 1_000

const plainBody = ({ status, code, message }: Failure) => ({ status, code, message })

/** Returns the first operation that declares the status; otherwise one whose other responses include it. */
function declaring(subjects: readonly Subject[], status: number): Subject | undefined {
  const isExact = ({ operation }: Subject) => Object.hasOwn(operation.responses, status)
  return (
    subjects.find(isExact) ??
    subjects.find(({ operation }) => declaredResponse(operation, status) !== undefined)
  )
}

function template(
  { operation, declared }: Subject,
  content: ResponseContent,
  { code, seed, status }: ErrorSource & { readonly status: number }
): unknown {
  const response = new DeclaredResponses(operation, declared).of(status)
  if (response === undefined) return undefined
  const accepts = accepting(content, code)
  const declaredContent = contentOf(response, content)
  return valueFor(declaredContent, declaredContent.schema, { direction: 'response', accepts, seed, depth: 2 })
}

const sentences = 'message detail error_description description title reason error text'.split(' ')
const statuses = ['status', 'statusCode', 'code', 'httpStatus']

/**
 * Puts the message and the status of the failure into the body, if its schema allows.
 * @returns undefined if the body has no place for them and no operation declares the failure: the message is then sent
 * instead
 */
function worded(body: unknown, failure: Failure & Named, accepts: Accepts): unknown {
  const reworded = sentences.map((name) => replaced(body, name, failure.message)).find(fitting(body, accepts))
  const added = reworded ?? [withMessage(body, failure.message)].find(fitting(body, accepts))
  const isFree = failure.code === 'not-found' || failure.operationId === undefined
  if (added === undefined && isFree) return undefined
  const base = added ?? body
  return statuses.map((name) => replaced(base, name, failure.status)).find(fitting(base, accepts)) ?? base
}

type Accepts = (value: unknown) => boolean

const fitting = (before: unknown, accepts: Accepts) => (value: unknown) => value !== before && accepts(value)

function withMessage(body: unknown, message: string): unknown {
  if (typeof body === 'string') return message
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, message } : body
}

/** Replaces a member of the same type, at the top or inside of objects and the first items of lists. */
function replaced(body: unknown, name: string, value: string | number): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return changed(body, '0', replaced(body[0], name, value))
  if (typeof Reflect.get(body, name) === typeof value) return { ...body, [name]: value }
  for (const [key, member] of Object.entries(body)) {
    const inner = replaced(member, name, value)
    if (inner !== member) return changed(body, key, inner)
  }
  return body
}

function changed(body: object, key: string, member: unknown): unknown {
  if (Reflect.get(body, key) === member) return body
  return Array.isArray(body) ? [member, ...body.slice(1)] : { ...body, [key]: member }
}
