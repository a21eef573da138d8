/** The request that `npm start` and the mock show: of the operation whose examples need the least to be made up. */
import type { Contract as Model } from '@contract-first/contract'
import { stringify } from '@contract-first/engine/json'
import {
  type CompiledCode,
  type ExampleRequest,
  type Operation,
  type SecurityScheme,
  tokenAlternative
} from '@contract-first/engine/model'
import { type Draft, subjectsOf } from './draft.ts'
import { bodyMessage, partsOf, rawRequest } from './raw-request.ts'
import { ValidDrafts } from './valid-drafts.ts'
import { Judge } from './verdict.ts'

/** Most operations to try. */
const maxTried = 50
/** Longest text that a person pastes. */
const maxLength = 4_000

/**
 * Returns the operations whose request may succeed as `npm start` prints it: they delete nothing, and the token of the
 * run stands for their credentials. Those with parameters in the path, which name something that exists, come last.
 */
export function pasteable(
  operations: readonly Operation[],
  schemes: Readonly<Record<string, SecurityScheme>>
): readonly Operation[] {
  const isNamed = ({ url }: Operation) => url.includes(':')
  const isPasteable = ({ method, security }: Operation) =>
    method !== 'DELETE' && (security.length === 0 || tokenAlternative(security, schemes) !== undefined)
  const found = operations.filter(isPasteable)
  return [...found.filter((each) => !isNamed(each)), ...found.filter(isNamed)]
}

interface Source {
  /** The operations to choose from, the best first. */
  readonly operations: readonly Operation[]
  readonly model: Model
  readonly validators: CompiledCode['validators']
}

/** @returns a request of the first operation with examples of all that it needs; otherwise of the first possible one */
export function exampleRequest({ operations, model, validators }: Source): ExampleRequest | undefined {
  const judge = new Judge({ validators, serializers: {} })
  const all = subjectsOf({ operations }, model).map((subject) => new ValidDrafts(subject, judge))
  const ranked = [...all.filter((each) => each.hasExamples), ...all.filter((each) => !each.hasExamples)]
  for (const drafts of ranked.slice(0, maxTried)) {
    const draft = drafts.short(1)
    const request = draft === undefined ? undefined : requestOf(draft)
    if (request !== undefined) return request
  }
  return undefined
}

/** @returns undefined for an empty body, and for a long request */
function requestOf(draft: Draft): ExampleRequest | undefined {
  const { operation, declared } = draft.subject
  const { target, headers } = rawRequest(draft)
  const body = bodyOf(draft)
  const request = {
    operationId: operation.operationId,
    summary: declared.summary ?? operation.operationId,
    target,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name === 'content-type' && Array.isArray(body) ? [] : [[headerName(name, draft), value]]
      )
    ),
    ...(body !== undefined && { body })
  }
  return body?.length === 0 || JSON.stringify(request).length > maxLength ? undefined : request
}

/** Returns the name of a header as the contract spells it. */
function headerName(name: string, { subject }: Draft): string {
  const declared = subject.parameters.find(({ spec }) => spec.in === 'header' && spec.key === name)
  return declared?.spec.name ?? name.replaceAll(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase())
}

/** Returns an empty text for a value that is not the text of its media type. */
function bodyOf({ body }: Draft): ExampleRequest['body'] {
  if (body === undefined) return undefined
  const { content } = body.of
  if (content.kind === 'json') return spaced(body.value)
  if (content.kind === 'multipart') return partsOf(content, body.value)
  // A terminal shows no record separator, and the line breaks of JSON only.
  if (content.items !== undefined && content.items.framing !== 'lines') return ''
  if (content.kind === 'form' || content.items !== undefined)
    return String(bodyMessage(content, body.value).bytes)
  return typeof body.value === 'string' ? body.value : ''
}

/** Writes JSON on one line, with a space after each colon and comma. */
const spaced = (value: unknown): string =>
  stringify(value, 1).replaceAll(/(,?)\n */g, (_, comma) => comma && ', ')
