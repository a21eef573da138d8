/**
 * Judges requests by the contract as this engine reads them: returns the problems of a request, none for a valid one.
 */

import { type Failure, FailureError, type ReportedProblem } from '@contract-first/engine/errors'
import type { CompiledCode, Items, RequestContent } from '@contract-first/engine/model'
import {
  bytesBody,
  jsonBody,
  multipartForm,
  type Parts,
  parameterReader,
  type ReadRequest,
  textBody,
  Unsendable,
  urlencodedForm,
  validForm
} from '@contract-first/engine/steps'
import type { Draft, DraftBody, RawRequest, Subject } from './draft.ts'
import { bodyMessage, partsOf, rawRequest } from './raw-request.ts'
import { type ItemReading, readSequence } from './sequence.ts'

/** Problems of a request; undefined for a draft that no request can carry. */
type Verdict = readonly ReportedProblem[] | undefined

export class Judge {
  readonly #code: CompiledCode
  readonly #readers = new Map<Subject, ReadRequest>()
  /** Verdicts of drafts, each of which is asked for before and after it gets known values and a new id. */
  readonly #known = new WeakMap<Draft, { readonly verdict: Verdict }>()

  constructor(code: CompiledCode) {
    this.#code = code
  }

  of(draft: Draft): Verdict {
    const known = this.#known.get(draft) ?? { verdict: this.#judged(draft) }
    this.#known.set(draft, known)
    return known.verdict
  }

  #judged(draft: Draft): Verdict {
    try {
      const raw = rawRequest(draft)
      return [...this.#parameters(draft.subject, raw), ...this.#body(draft, raw.body)]
    } catch (error) {
      if (error instanceof Unsendable) return undefined
      throw error
    }
  }

  isValid(draft: Draft): boolean {
    return this.of(draft)?.length === 0
  }

  /** Returns whether both are valid, or break the contract in the same way. */
  isSame(draft: Draft, other: Draft): boolean {
    return this.signature(draft) === this.signature(other)
  }

  /**
   * Returns a text that is equal for requests with the same problems, as sent and before they are rewritten: a body that
   * cannot be read hides the problems of its values.
   */
  signature(draft: Draft): string {
    const sent = signatureOf(this.of(draft))
    return draft.rewrite === undefined
      ? sent
      : `${sent} after ${signatureOf(this.of({ ...draft, rewrite: undefined }))}`
  }

  /** Judges the body alone. */
  acceptsBody(subject: Subject, body: DraftBody): boolean {
    try {
      const { bytes } = bodyMessage(body.of.content, body.value)
      return this.#body({ subject, values: [], body }, bytes).length === 0
    } catch (error) {
      if (error instanceof Unsendable) return false
      throw error
    }
  }

  /** Returns true when a body of no bytes is valid in the same media type. */
  acceptsEmpty({ of: { content } }: DraftBody): boolean {
    return problemsIn(() => this.#read(content, Buffer.alloc(0), {})).length === 0
  }

  #parameters(subject: Subject, { target, headers }: RawRequest): readonly ReportedProblem[] {
    const read = this.#readers.get(subject) ?? parameterReader(subject.operation, '')
    if (read !== undefined) this.#readers.set(subject, read)
    const request = { raw: { url: target }, headers } as Parameters<ReadRequest>[0]
    return problemsIn(() => {
      const failure = read?.(request, this.#code).failure
      if (failure !== undefined) throw failure
    })
  }

  #body({ subject, body }: Draft, bytes: Buffer | undefined): readonly ReportedProblem[] {
    const { requestBody } = subject.operation
    if (bytes?.length === 0) throw new Unsendable('an empty body is no body')
    if (bytes && bytes.length > (body?.of.content.limit ?? Infinity))
      throw new Unsendable('a body has a limit')
    if (body === undefined || bytes === undefined)
      return requestBody?.required === true ? [{ place: 'body', message: 'is required' }] : []
    const { items } = body.of.content
    if (items !== undefined) return this.#items(items, String(bytes))
    return problemsIn(() => this.#read(body.of.content, bytes, body.value))
  }

  #items(sequence: Items, text: string): readonly ReportedProblem[] {
    return readSequence(sequence, text).items.flatMap((readings, index) =>
      problemsOf(itemFailure(readings, this.#code)).map((problem) => ({
        ...problem,
        place: itemPlace(problem.place, index)
      }))
    )
  }

  #read(content: RequestContent, bytes: Buffer, value: unknown): void {
    const code = this.#code
    if (content.kind === 'json') jsonBody(bytes, content, code)
    else if (content.kind === 'text') textBody(bytes, content, code)
    else if (content.kind === 'form') validForm(urlencodedForm(String(bytes), content), content, code)
    else if (content.kind === 'binary') bytesBody(bytes, content, code)
    else validForm(multipartForm(sentParts(content, value), content), content, code)
  }
}

/** Returns the parts of a multipart body as a server receives them. */
function sentParts(content: RequestContent, value: unknown): Parts {
  const parts = partsOf(content, value).map(({ name, text, isFile, mediaType }) => ({
    name,
    bytes: Buffer.from(text),
    filename: isFile ? 'file' : undefined,
    isNamed: isFile === true,
    mediaType,
    encoding: undefined
  }))
  return Map.groupBy(parts, ({ name }) => name)
}

function problemsIn(read: () => void): readonly ReportedProblem[] {
  return problemsOf(failureOf(read))
}

/** Returns the problems of a failure: a text that cannot be read is one of the body. */
export function problemsOf(failure: Failure | undefined): readonly ReportedProblem[] {
  if (failure === undefined) return []
  const { problems, message } = failure
  return problems.length > 0 ? problems : [{ place: 'body', message: message.replace(/^the body /, '') }]
}

/** Returns why no reading of an item is valid; undefined for a valid item. */
export function itemFailure(readings: readonly ItemReading[], code: CompiledCode): Failure | undefined {
  const failures = readings.map(({ form, json }) =>
    failureOf(() =>
      jsonBody(Buffer.from(json), { ...form, mediaType: 'application/json', kind: 'json' }, code)
    )
  )
  return failures.includes(undefined) ? undefined : failures[0]
}

/** Returns the failure that a step of the engine throws; undefined if it throws none. */
export function failureOf(read: () => void): Failure | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return error.failure
  }
}

/** Returns a text that is equal for requests with the same problems; empty for valid ones. */
export const signatureOf = (verdict: Verdict): string =>
  verdict?.map(({ place, message }) => `${generalPlace(place)} ${message}`).join('; ') ?? 'not sent'

/** Returns the place of an item: `body/17/name`. */
export const itemPlace = (place: string, index: number | '*'): string =>
  place.replace('body', `body/${index}`)

/** Replaces the indices of lists in a place: `body/tags/*`. */
export const generalPlace = (place: string): string => place.replaceAll(/\/\d+(?=\/|$)/g, '/*')
