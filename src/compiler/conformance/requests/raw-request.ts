/** Turns drafts into requests: a target, headers and bytes. */
import { encodedLiteral, templateLiterals } from '@contract-first/engine/model'
import { bodyMessage } from './body-bytes.ts'
import type { Draft, Message } from './draft.ts'
import {
  headerValue,
  isHeaderText,
  type Pair,
  pairsOf,
  pathText,
  percentEncoded,
  Unsendable
} from './parameter-text.ts'

export interface RawRequest {
  readonly method: string
  /** Path below the base URL, and the query. */
  readonly target: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Longest URL and header: common servers refuse longer ones, whatever the contract allows (RFC 9110, section 4.1). */
const maxTextLength = 4000

/** @throws {Unsendable} for a value that no request can carry */
export function rawRequest(draft: Draft): RawRequest {
  const raw = assembled(draft)
  if (Object.hasOwn(raw.headers, '__proto__') || !isHeaderText(raw.headers['cookie'] ?? ''))
    throw new Unsendable('a header cannot carry this')
  const longest = Math.max(raw.target.length, ...Object.values(raw.headers).map((text) => text.length))
  if (longest > maxTextLength) throw new Unsendable('servers limit the length of URLs and headers')
  return raw
}

function assembled(draft: Draft): RawRequest {
  const { method, path } = draft.subject.operation
  const query = pairText(draft, 'query', '&')
  const cookie = pairText(draft, 'cookie', '; ')
  const message = messageOf(draft)
  const { contentType, bytes } = draft.spoil?.(message) ?? message
  return {
    method,
    target: `${pathOf(draft, path)}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...headersOf(draft),
      ...(cookie === '' ? {} : { cookie }),
      ...(contentType === undefined ? {} : { 'content-type': contentType })
    },
    body: bytes
  }
}

function messageOf({ body }: Draft): Message {
  if (body === undefined) return { contentType: undefined, bytes: undefined }
  return bodyMessage(body.of.content, body.value)
}

function pathOf(draft: Draft, template: string): string {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => String(name))
  const texts = names.flatMap((name) =>
    draft.subject.parameters.flatMap(({ spec }, index) =>
      spec.in === 'path' && spec.name === name ? [pathText(spec, draft.values[index])] : []
    )
  )
  return templateLiterals(template)
    .map((literal, index) => `${sentLiteral(literal)}${texts[index] ?? ''}`)
    .join('')
}

/** Encodes what no URL holds, such as spaces, and keeps what the template has encoded already. */
const sentLiteral = (text: string): string => encodeURI(encodedLiteral(text)).replaceAll('%25', '%')

function pairText(draft: Draft, location: 'query' | 'cookie', separator: string): string {
  const pairs = draft.subject.parameters.flatMap(({ spec }, index): readonly Pair[] => {
    const value = draft.values[index]
    const encode = spec.style === 'cookie' ? String : percentEncoded
    return spec.in === location && value !== undefined ? pairsOf(spec, value, encode) : []
  })
  return pairs.map(([name, text]) => `${name}=${text}`).join(separator)
}

function headersOf({ subject, values }: Draft): Record<string, string> {
  const given = subject.parameters.flatMap(({ spec }, index) =>
    spec.in === 'header' && values[index] !== undefined ? [[spec.key, headerValue(spec, values[index])]] : []
  )
  return Object.fromEntries(given)
}
