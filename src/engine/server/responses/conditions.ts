/** Conditional requests by entity tags (RFC 9110, sections 8.8.3, 13.1.1, 13.1.2 and 13.2.2). */
import { hash } from 'node:crypto'
import { declaredResponse, type Operation, type Response } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import type { Payload } from './body.ts'
import type { Checks, HandlerResponse } from './checks.ts'
import { checkedHeaders, type ResponseHeaders } from './headers.ts'
import type { Sequence } from './item-cursor.ts'

/** Parts of a request that its conditions stand in. */
export interface ConditionalRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

type Outcome = 'proceed' | 'not-modified' | 'failed'

const tags = /(?:W\/)?"[!#-~\x80-\xff]*"/g
const oneTag = /^(?:W\/)?"[!#-~]*"$/

export const isEntityTag = (text: string): boolean => oneTag.test(text)

/** Returns the strong entity tag of a representation: `"…"`, of its SHA-256. */
export const entityTag = (content: string | Uint8Array): string => `"${hash('sha256', content, 'base64url')}"`

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * Evaluates `If-Match`, then `If-None-Match`.
 * @param tag entity tag of the current representation; undefined where there is none
 */
export function outcomeOf({ method, headers }: ConditionalRequest, tag: string | undefined): Outcome {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined && !isNamed(tag, match, isSameStrong)) return 'failed'
  if (noneMatch === undefined || !isNamed(tag, noneMatch, isSameWeak)) return 'proceed'
  return isRead(method) ? 'not-modified' : 'failed'
}

type Compare = (tag: string, other: string) => boolean
const isSameStrong: Compare = (tag, other) => tag === other && !tag.startsWith('W/')
const isSameWeak: Compare = (tag, other) => opaque(tag) === opaque(other)
const opaque = (tag: string): string => tag.replace(/^W\//, '')

function isNamed(tag: string | undefined, list: string | string[], isSame: Compare): boolean {
  if (tag === undefined) return false
  const text = String(list).trim()
  return text === '*' || (text.match(tags) ?? []).some((other) => isSame(tag, other))
}

/** Returns the failure of a condition that does not hold. */
export const preconditionFailed = ({ headers }: ConditionalRequest): FailureError =>
  new FailureError('precondition-failed', {
    message:
      headers['if-match'] === undefined
        ? 'what If-None-Match excludes exists'
        : 'If-Match does not name the current state'
  })

/** A response that is ready to be sent. */
export interface Message {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly payload: Payload | Sequence | undefined
}

export interface Conditions {
  /** Returns the declared response without a required tag: a handler may leave it out. */
  readonly untagged: (declared: Response) => Response
  /**
   * Adds the tag of the body to a success that has none, and evaluates the conditions of the request.
   * @returns the message, or that of 304
   * @throws {FailureError} `precondition-failed`
   * @throws {Error} for a tag that breaks the contract or has not the form of one
   */
  readonly evaluate: <Of extends Message>(
    message: Of,
    response: HandlerResponse,
    request: ConditionalRequest
  ) => Of | Message
}

/** @returns undefined for an operation that is not GET or HEAD, or whose successes do not declare the header `ETag` */
export function conditionsOf(operation: Operation, checks: Checks): Conditions | undefined {
  const { method, responses } = operation
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  if (!isRead(method) || !successes.some(([, response]) => tagHeader(response))) return undefined
  const notModified = responses['304'] ?? responses['3XX']
  const canFail = declaredResponse(operation, 412) !== undefined
  return {
    untagged: (declared) => ({ ...declared, headers: declared.headers.map(optionalTag) }),
    evaluate(message, response, request) {
      const { status, headers } = message
      const header = tagHeader(declaredResponse(operation, status))
      if (status > 299 || header === undefined) return message
      const tag = givenTag(headers) ?? madeTag(message)
      if (tag === undefined && header.required) throw new Error('header etag is required')
      if (tag === undefined) return message
      if (!headers.has('etag')) checks.check(header.validate, tag, 'header etag')
      headers.set('etag', tag)
      const outcome = outcomeOf(request, tag)
      if (outcome === 'failed' && canFail) throw preconditionFailed(request)
      if (outcome !== 'not-modified' || notModified === undefined) return message
      const kept = checkedHeaders({ ...cacheHeaders(response.headers), etag: tag }, notModified, checks)
      return { status: 304, headers: kept, payload: undefined }
    }
  }
}

type Header = Response['headers'][number]

const tagHeader = (response: Response | undefined): Header | undefined =>
  response?.headers.find(({ name }) => name === 'etag')

const optionalTag = (header: Header): Header =>
  header.name === 'etag' ? { ...header, required: false } : header

function givenTag(headers: ResponseHeaders): string | undefined {
  const tag = headers.get('etag')
  if (tag === undefined || isEntityTag(String(tag))) return tag?.toString()
  throw new Error('header etag is no entity tag: its text stands in double quotes')
}

/** @returns undefined for a stream and for no body */
const madeTag = ({ payload }: Message): string | undefined =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? entityTag(payload) : undefined

/** Returns the headers of the 200 without those of its content (RFC 9110, section 15.4.5). */
const cacheHeaders = (headers: HandlerResponse['headers'] = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:content-(?!location$)|etag$)/i.test(name))
  )
