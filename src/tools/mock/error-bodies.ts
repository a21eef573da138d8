/**
 * Makes the bodies of failures from the schema that the contract declares for the status, with the message of the
 * failure.
 */

import { anyValue, isObject, merged } from '@contract-first/contract'
import type { Failure } from '@contract-first/engine/errors'
import { declaredResponse, type ResponseContent } from '@contract-first/engine/model'
import { commonErrorContent, errorContent } from '@contract-first/engine/steps'
import { leavesOf, type Path, valueAt, withValueAt } from '../samples/paths.ts'
import { valueFor } from '../samples/plain-instance.ts'
import type { Subject } from '../samples/requests/draft.ts'
import { accepting, contentOf, responseOf, type ValueSource } from './declared-responses.ts'

interface ErrorSource extends ValueSource {
  readonly subjects: readonly Subject[]
}

type NamedFailure = Failure & { readonly operationId: string | undefined }

export function errorBodies(source: ErrorSource): (failure: NamedFailure) => unknown {
  const { subjects, code } = source
  const templates = new Map<string, Template>()
  const known = new Map<string, unknown>()
  const named = new Map<unknown, Subject>(subjects.map((each) => [each.operation.operationId, each]))
  const common = commonError(subjects)
  return (failure) => {
    const { operationId } = failure
    const own = operationId === undefined ? declaring(subjects, failure.status) : named.get(operationId)
    const found = (own && errorOf(own, failure.status)) ?? common
    if (found === undefined) return plainBody(failure)
    const { subject, status, content } = found
    if (content.kind !== 'json') return failure.message
    const key = `${content.validate} ${status}`
    const template = templates.get(key) ?? templateOf(subject, content, { ...source, status })
    templates.set(key, template)
    // The boot tries the same failures for every operation.
    const text = `${key} ${failure.code} ${operationId === undefined} ${failure.message}`
    if (known.size > maxKnown) known.clear()
    if (!known.has(text)) known.set(text, worded(template, failure, accepting(content, code)))
    return known.get(text) ?? plainBody(failure)
  }
}

/** Most bodies that are kept. */
const maxKnown = 1_000

function errorOf(subject: Subject, status: number) {
  const content = errorContent(declaredResponse(subject.operation, status)?.content ?? [])
  return content && { subject, status, content }
}

/** Returns the error that stands for those that no operation declares, where all of the contract have one schema. */
function commonError(subjects: readonly Subject[]) {
  const common = commonErrorContent(subjects.map(({ operation }) => operation))
  if (common?.validate === undefined) return undefined
  const errors = subjects.flatMap((subject) =>
    [400, 500, ...statusesOf(subject)].flatMap((status) => errorOf(subject, status) ?? [])
  )
  return errors.find(({ content }) => content.validate === common.validate)
}

const statusesOf = ({ operation }: Subject): number[] =>
  Object.keys(operation.responses)
    .filter((name) => /^[45]\d\d$/.test(name))
    .map(Number)

const plainBody = ({ status, code, message }: Failure) => ({ status, code, message })

/** Returns the first operation that declares the status; otherwise one whose other responses include it. */
function declaring(subjects: readonly Subject[], status: number): Subject | undefined {
  const isExact = ({ operation }: Subject) => Object.hasOwn(operation.responses, status)
  return (
    subjects.find(isExact) ??
    subjects.find(({ operation }) => declaredResponse(operation, status) !== undefined)
  )
}

interface Template {
  readonly body: unknown
  /** Another body: texts that differ are invented. */
  readonly other: unknown
  /** Names of the members that the schema declares. */
  readonly declared: ReadonlySet<string>
}

function templateOf(
  subject: Subject,
  content: ResponseContent,
  { code, seed, status }: ErrorSource & { readonly status: number }
): Template {
  const response = responseOf(subject, status)
  if (response === undefined) return { body: undefined, other: undefined, declared: new Set() }
  const accepts = accepting(content, code)
  const declaredContent = contentOf(response, content)
  const { schema } = declaredContent
  const bodyOf = (seed: number) =>
    valueFor(declaredContent, schema, { direction: 'response', accepts, seed, depth: 2 })
  const { properties } = merged([schema ?? anyValue], 'service')
  return { body: bodyOf(seed), other: bodyOf(seed + 1), declared: new Set(properties.keys()) }
}

/** Names of members that say what is wrong, the best one first; the empty one is that of a body that is a text. */
const sentences = [
  ...['', 'message', 'detail', 'error_description', 'description', 'title', 'reason', 'why', 'error', 'text'],
  ...['msg', 'errorMessage', 'error_message', 'details', 'errors', 'messages', 'cause', 'explanation']
]
/** Names of members that programs read. */
const isIdentifier = /(code|type|kind|id|name|key|ur[il]|instance|path|pointer|field|status)$/i
const statuses = ['status', 'statusCode', 'code', 'httpStatus']

/**
 * Puts the message and the status of the failure into the body, if its schema allows. The message stands in the best
 * text, and in place of other sentences that are invented; only a body without any gets an undeclared member.
 * @returns undefined if the body has no place for them and no operation declares the failure: the message is then sent
 * instead
 */
function worded({ body, other, declared }: Template, failure: NamedFailure, accepts: Accepts): unknown {
  const { message } = failure
  const isInvented = (place: Path) => valueAt(other, place) !== valueAt(body, place)
  const texts = placesOf(body, 'string')
  const named = having(sentences, texts)
  const others = texts.filter(
    (place) => !named.includes(place) && isInvented(place) && !isIdentifier.test(lastName(place))
  )
  const put = (place: Path) => withValueAt(body, place, message)
  const added = (names: readonly string[]) =>
    isObject(body) ? names.map((name) => ({ ...body, [name]: message })) : []
  const missing = sentences.filter((name) => declared.has(name))
  const found = [...named.map(put), ...added(missing), ...others.map(put), ...added(['message'])].find(
    accepts
  )
  const isFree = failure.code === 'not-found' || failure.operationId === undefined
  if (found === undefined && isFree) return undefined
  const whole = named.filter(isInvented).reduce((before, place) => {
    const next = withValueAt(before, place, message)
    return accepts(next) ? next : before
  }, found ?? body)
  const numbered = having(statuses, placesOf(whole, 'number'))
  return numbered.map((place) => withValueAt(whole, place, failure.status)).find(accepts) ?? whole
}

type Accepts = (value: unknown) => boolean

/** Returns the places of members with the names, in the order of the names. */
const having = (names: readonly string[], places: readonly Path[]): Path[] =>
  names.flatMap((name) => places.filter((place) => lastName(place) === name))

const lastName = (place: Path): string => String(place.findLast((key) => typeof key === 'string') ?? '')

/** Returns the places of values of a type, in objects and the first items of lists, the outer ones first. */
const placesOf = (body: unknown, type: 'string' | 'number'): Path[] =>
  leavesOf(body)
    .filter(
      ([path, leaf]) => typeof leaf === type && path.every((key) => typeof key === 'string' || key === 0)
    )
    .map(([path]) => path)
    .toSorted((a, b) => a.length - b.length)
