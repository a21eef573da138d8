/** Expressions for the members of error bodies, chosen by their names and by the validator of the contract. */
import { STATUS_CODES } from 'node:http'
import type { Failure } from '@contract-first/engine/errors'
import { keyOf } from '../source/values.ts'
import { type Expression, type Template, templateOf } from './error-template.ts'

const expression = (
  source: string,
  reads: Expression['reads'],
  of: (failure: Failure) => unknown
): Expression => ({ kind: 'expression', source, reads, of })

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
const blank: Template = templateOf('about:blank')
const no: Template = templateOf(false)

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

/** Templates for a body that is a text. */
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
  if (typeof value === 'boolean') return flags.has(key) ? [no] : []
  if (typeof value === 'number' || typeof value === 'bigint')
    return [...(numbers.has(key) ? statuses : []), ...(times.has(key) ? now : [])]
  return typeof value === 'string' ? textCandidates(key, others) : []
}

const hasSentence = (key: string, siblings: readonly string[]): boolean =>
  siblings.some((each) => each !== key && sentences.has(each))

function textCandidates(key: string, siblings: readonly string[]): readonly Template[] {
  const hasMessage = hasSentence(key, siblings)
  // RFC 9457, section 4.2.1: the default type of a problem.
  if (key === 'type' && siblings.some((each) => titles.has(each))) return [blank, ...codes]
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
