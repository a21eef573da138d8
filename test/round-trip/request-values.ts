/** Arguments of a client from a draft of a request, and the comparison of both with what a handler is given. */

import type { RequestContent } from '../../src/engine/model/compiled-contract.ts'
import { sections } from '../../src/engine/server/parameters/decode.ts'
import type { Draft } from '../../src/tools/samples/requests/draft.ts'
import { differing, dispatched, textOf } from './differing.ts'
import type { Seen } from './recorder.ts'

/** @returns the reason for which no client can send the draft */
export function valuesOf(draft: Draft): object | string {
  const { operation, parameters } = draft.subject
  if (['TRACE', 'CONNECT'].includes(operation.method)) return `fetch sends no ${operation.method}`
  if (draft.body !== undefined && ['GET', 'HEAD'].includes(operation.method))
    return `fetch sends no body with ${operation.method}`
  const { content: { kind } = {}, value } = { ...draft.body?.of, value: draft.body?.value }
  if (
    (kind === 'form' || kind === 'multipart') &&
    (typeof value !== 'object' || value === null || Array.isArray(value))
  )
    return 'a form is an object'
  const groups: Record<string, unknown> = { params: {}, query: {}, headers: {}, cookies: {} }
  for (const [index, { spec }] of parameters.entries()) {
    const value = draft.values[index]
    if (spec.in === 'querystring') groups['query'] = value
    else if (value !== undefined) Object.assign(groups[sections[spec.in]] as object, { [spec.key]: value })
  }
  if (draft.body === undefined) return groups
  const { content } = draft.body.of
  return { ...groups, body: sentBody(content, draft.body.value), contentType: typeIn(content.mediaType) }
}

/** Bodies of texts and bytes are made as values of any type. */
function sentBody({ kind, items }: RequestContent, value: unknown): unknown {
  if (items !== undefined) return value
  if (kind === 'text') return textOf(value)
  return kind === 'binary' ? Buffer.from(textOf(value)) : value
}

/** Returns a concrete media type within a range. */
function typeIn(mediaType: string): string {
  if (mediaType.startsWith('text/*')) return 'text/plain'
  return mediaType.replace('*/*', 'application/octet-stream').replace('/*', '/x-any')
}

/** Compares what was sent; a handler may be given defaults beside it. */
export function requestDifferences(draft: Draft, seen: Seen): string[] {
  const found = draft.subject.parameters.flatMap(({ spec }, index) => {
    const value = draft.values[index]
    const section = seen[sections[spec.in]]
    const received = spec.in === 'querystring' ? section : Reflect.get(Object(section), spec.key)
    const place = `${sections[spec.in]}/${spec.key}`
    const isDefault = isEmpty(value) && spec.default !== undefined
    return value === undefined || isDefault
      ? []
      : differing(value, received, { isText: spec.json !== true }, place)
  })
  const { items } = draft.body?.of.content ?? {}
  const sent = items === undefined ? draft.body?.value : dispatched(items, draft.body?.value)
  const isText = ['form', 'multipart', 'text'].includes(String(draft.body?.of.content.kind))
  return [...found, ...differing(sent, seen.body, { isText }, 'body')]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
