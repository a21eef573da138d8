/** Expressions for the members of error bodies, by their names; and listed values, by the failure that they match. */
import { STATUS_CODES } from 'node:http'
import type { Failure, FailureCode } from '@contract-first/engine/errors'
import { keyOf } from '../source/values.ts'
import { Expression, type Template } from './error-template.ts'

const expression = (...parts: ConstructorParameters<typeof Expression>) => new Expression(...parts)

const constantCase = (code: string) => code.toUpperCase().replaceAll('-', '_')
const snakeCase = (code: string) => code.replaceAll('-', '_')

const message = expression('message', ['message'], (failure) => failure.message)
const shortMessages = [1000, 500, 255, 200, 128, 100, 80, 64, 50, 40, 32, 20, 10].map((length) =>
  expression(`message.slice(0, ${length})`, ['message'], (failure) => failure.message.slice(0, length))
)
const messages = [message, ...shortMessages]
const status = expression('status', ['status'], (failure) => failure.status)
const statuses = [status, expression('String(status)', ['status'], (failure) => String(failure.status))]
const title = expression('STATUS_CODES[status]', ['status'], (failure) => STATUS_CODES[failure.status])
const codes = [
  expression('code', ['code'], ({ code }) => code),
  expression("code.toUpperCase().replaceAll('-', '_')", ['code'], ({ code }) => constantCase(code)),
  expression("code.replaceAll('-', '_')", ['code'], ({ code }) => snakeCase(code))
]
const now = [
  expression('new Date().toISOString()', [], () => new Date().toISOString()),
  expression('Date.now()', [], () => Date.now())
]
const place = expression("problems[0]?.place ?? ''", ['problems'], ({ problems }) => problems[0]?.place ?? '')
const id = expression('crypto.randomUUID()', [], () => crypto.randomUUID())

/** Normalises names: lower case, letters and digits. */
const named = (names: string): ReadonlySet<string> => new Set(names.split(' '))
const normalised = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const sentences = named(
  'message detail details errordescription description reason text msg summary errormessage usermessage developermessage problem explanation info'
)
const numbers = named('status statuscode httpstatus httpcode httpstatuscode code errorcode error errno')
const titles = named('title statustext reasonphrase')
const kinds = named('code errorcode type kind error reason key slug errortype name')
const times = named('timestamp time date occurredat createdat datetime at')
const ids = named('requestid traceid correlationid errorid id logid incidentid')
const flags = named('success ok succeeded issuccess')
const lists = named(
  'errors detail details problems violations invalidparams issues fields causes fielderrors messages'
)
const places = named(
  'field path pointer location loc name param parameter property source key attribute target in'
)

export const textBodies: readonly Template[] = messages

/** @returns possible templates for a member of this name, the best first; other members stay as they are */
export function candidatesFor(
  name: string,
  value: unknown,
  siblings: readonly string[]
): readonly Template[] {
  const key = normalised(name)
  const others = siblings.map(normalised)
  if (Array.isArray(value)) return lists.has(key) ? listsOf(value[0], hasSentence(key, others)) : []
  if (typeof value === 'boolean') return flags.has(key) ? [false] : []
  if (typeof value === 'number' || typeof value === 'bigint')
    return [...(numbers.has(key) ? statuses : []), ...(times.has(key) ? now : [])]
  return typeof value === 'string' ? textCandidates(key, others) : []
}

const hasSentence = (key: string, siblings: readonly string[]): boolean =>
  siblings.some((each) => each !== key && sentences.has(each))

function textCandidates(key: string, siblings: readonly string[]): readonly Template[] {
  const hasMessage = hasSentence(key, siblings)
  // RFC 9457, section 4.2.1: the default type of a problem.
  if (key === 'type' && siblings.some((each) => titles.has(each))) return ['about:blank', ...codes]
  if (titles.has(key)) return hasMessage ? [title, ...messages] : [...messages, title]
  if (key === 'error') return hasMessage ? [title, ...codes] : messages
  if (sentences.has(key) && !(key === 'reason' && hasMessage)) return messages
  if (key.includes('status')) return statuses.slice(1)
  if (kinds.has(key)) return [...codes, ...statuses.slice(1)]
  if (times.has(key)) return now.slice(0, 1)
  if (ids.has(key)) return [id]
  return places.has(key) ? [place] : []
}

/**
 * Makes lists of problems from a template of their items; without a message beside the list, it has one item with the
 * message.
 */
function listsOf(item: unknown, hasMessage: boolean): readonly Template[] {
  if (typeof item === 'string')
    return hasMessage ? [problemTexts, sentenceList] : [sentenceList, problemTexts]
  if (typeof item !== 'object' || item === null || Array.isArray(item) || !hasMessage) return []
  const members = Object.keys(item).flatMap((name) => memberOf(name) ?? [])
  if (members.length === 0) return []
  const text = members.map(({ name, read }) => `${keyOf(name)}: each.${read}`).join(', ')
  const source = `problems.map((each) => ({ ${text} }))`
  const of = ({ problems }: Failure) =>
    problems.map((problem) => Object.fromEntries(members.map(({ name, read }) => [name, problem[read]])))
  return [expression(source, ['problems'], of)]
}

const problemTexts = expression(
  "problems.map((each) => [each.place, each.message].join(' '))",
  ['problems'],
  ({ problems }) => problems.map((each) => [each.place, each.message].join(' '))
)
const sentenceList = expression('[message]', ['message'], (failure) => [failure.message])

interface Member {
  readonly name: string
  readonly read: 'place' | 'pointer' | 'message'
}

function memberOf(name: string): Member | undefined {
  const key = normalised(name)
  if (sentences.has(key) || key === 'error' || key === 'title') return { name, read: 'message' }
  if (key === 'pointer') return { name, read: 'pointer' }
  return places.has(key) ? { name, read: 'place' } : undefined
}

/** Words that people use for each failure, the closest first. */
const words: Readonly<Record<FailureCode, string>> = {
  'malformed-http': 'malformed badrequest invalidrequest invalid syntax client',
  'malformed-url': 'malformed badrequest invalidrequest invalid syntax client',
  'malformed-body': 'malformed parse badrequest invalidrequest invalid syntax client',
  'missing-body': 'missing required badrequest invalidrequest invalid client',
  mismatch:
    'validation validate invalidrequest badrequest invalidparameter invalidargument invalid badinput client',
  'no-credentials':
    'unauthenticated unauthorized unauthorised authentication notauthenticated credential login token auth',
  'credentials-refused':
    'unauthorized unauthorised invalidtoken unauthenticated authentication credential token auth',
  forbidden: 'forbidden permission accessdenied notallowed denied unauthorized unauthorised authorization',
  'not-found': 'notfound unknownresource missing nosuch badrequest invalid client',
  'method-not-allowed': 'methodnotallowed notallowed unsupported badrequest invalid client',
  'not-acceptable': 'notacceptable unsupported badrequest invalid client',
  timeout: 'requesttimeout timeout timedout badrequest invalid client',
  'precondition-failed': 'precondition conflict stale outdated modified version badrequest invalid client',
  'body-too-large': 'toolarge payloadtoolarge contenttoolarge size limit badrequest invalid client',
  'unsupported-media-type': 'unsupportedmediatype mediatype unsupported badrequest invalid client',
  'expectation-failed': 'expectation unsupported badrequest invalid client',
  'too-many-requests': 'toomanyrequests ratelimit throttl quota limit badrequest invalid client',
  'headers-too-large': 'headerstoolarge toolarge limit badrequest invalid client',
  internal: 'internalservererror internalerror internal server unexpected unknown api error',
  'response-mismatch': 'internalservererror internalerror internal server unexpected unknown api error',
  'not-implemented': 'notimplemented unimplemented unsupported internal server unexpected unknown api error',
  overloaded: 'overload serviceunavailable unavailable busy internal server unexpected unknown api error',
  unavailable: 'serviceunavailable unavailable internal server unexpected unknown api error',
  'shutting-down': 'serviceunavailable unavailable internal server unexpected unknown api error'
}

/** Returns the values, the best match for the failure first. */
export function ranked(values: readonly unknown[], failure: Failure): unknown[] {
  return values.toSorted((a, b) => distance(a, failure) - distance(b, failure))
}

function distance(value: unknown, { status, code }: Failure): number {
  const number = Number(value)
  if (typeof value !== 'string' || (value.trim() !== '' && !Number.isNaN(number)))
    return numberDistance(number, status)
  const text = value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const list = words[code].split(' ')
  const found = list.findIndex((word) => text.includes(word))
  // The shorter of two values with the same word wins: `not_found` before `artist_not_found`.
  return (found < 0 ? list.length + 1 : found) * 1000 + text.length
}

/** Rates a number: the status itself, then a number that begins with it, then one of its class. */
function numberDistance(value: number, status: number): number {
  if (value === status) return 0
  const digits = String(value)
  if (digits.startsWith(String(status))) return 1
  return digits.startsWith(String(Math.floor(status / 100))) ? 2 + Math.abs(value - status) : 10_000
}
