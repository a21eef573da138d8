/**
 * The bodies of failures: a sample of each error schema of a contract. The message and the status of a failure stand in
 * it only where the contract leaves no choice; a person decides about the rest.
 */
import { STATUS_CODES } from 'node:http'
import { anyValue, digestOf, type Contract as Model, type Schema } from '@contract-first/contract'
import { type Failure, type FailureCode, FailureError, failureStatus } from '@contract-first/engine/errors'
import type { CompiledCode, Contract, Operation, ResponseContent } from '@contract-first/engine/model'
import { errorContent } from '@contract-first/engine/steps'
import { Source } from '../../compiler/source/values.ts'
import { accepting, anyText, contentOf, responseOf } from '../mock/declared-responses.ts'
import { leavesOf, type Path, withValueAt } from '../samples/paths.ts'
import { plainInstance } from '../samples/plain-instance.ts'
import { subjectsOf } from '../samples/requests/draft.ts'

export interface ErrorSample {
  /** Name of the schema or the response, otherwise of the operation and the status: `Problem`, `getThing 404`. */
  readonly name: string
  /** Value with an `Expression` in each place of a part of the failure; undefined if no valid one is found. */
  readonly body: unknown
  /** Paths of the parts that are samples only. */
  readonly undecided: readonly string[]
  /** Failures for which this body is declared. */
  readonly uses: readonly { readonly operationId: string; readonly status: number }[]
}

/** A part of a failure: its source code, and the same as a function. */
export class Expression extends Source {
  readonly of: (failure: Failure) => unknown

  constructor(text: string, of: Expression['of']) {
    super(text)
    this.of = of
  }
}

export interface ErrorSource {
  readonly contract: Contract
  readonly model: Model
  readonly code: CompiledCode
}

interface Use {
  readonly operation: Operation
  readonly status: number
  readonly content: ResponseContent
  readonly name: string
  readonly schema: Schema | undefined
}

/** @returns the samples, the one with the most failures first */
export function errorSamples(source: ErrorSource): readonly ErrorSample[] {
  const groups = Map.groupBy(usesOf(source), ({ content, schema }) =>
    [isJson(content) && content.mediaType, schema === undefined ? '' : digestOf(schema)].join(' ')
  )
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((uses) => ({
      name: uses[0]?.name ?? '',
      ...sampleOf(uses, source),
      uses: uses.map(({ operation: { operationId }, status }) => ({ operationId, status }))
    }))
}

const isJson = ({ mediaType, kind }: ResponseContent): boolean => kind === 'json' || mediaType.includes('*')

function usesOf({ contract, model }: ErrorSource): Use[] {
  const statuses = [...new Set(Object.values(failureStatus))]
  return subjectsOf(contract, model).flatMap((subject) => {
    const { operation } = subject
    return statuses.flatMap((status) => {
      const response = responseOf(subject, status)
      const content = errorContent(response?.content ?? [])
      if (response === undefined || content === undefined) return []
      const { schema } = contentOf(response, content)
      const component = schema?.ref?.name ?? response.declared.component
      const name = component ?? `${operation.operationId} ${response.name}`
      return [{ operation, status, content, name, schema }]
    })
  })
}

type Sample = Pick<ErrorSample, 'body' | 'undecided'>

/** Returns whether the contract accepts the body of every failure that has it. */
type Fits = (body: unknown) => boolean

function sampleOf(uses: readonly Use[], { code }: ErrorSource): Sample {
  const [{ content, schema }] = uses as [Use, ...Use[]]
  if (isJson(content) && schema === undefined) return { body: { status, message }, undecided: [] }
  const accepts = accepting(content, code)
  const failures = failuresOf(new Set(uses.map((use) => use.status)))
  const fits: Fits = (body) => failures.every((failure) => accepts(bodyOf(body, failure)))
  const instance = (depth: number): unknown => {
    const options = { direction: 'response', accepts, depth, seed: 1 } as const
    const written = isJson(content) ? (schema ?? anyValue) : anyText
    return plainInstance(written, { ...options, usesExamples: false }) ?? plainInstance(written, options)
  }
  const [least, whole] = [instance(0), instance(4)]
  if (least === undefined) return { body: undefined, undecided: [] }
  const declared = Object.keys(Object(whole))
  return content.mediaType.includes('problem+json') && declared.some((name) => textMembers.includes(name))
    ? decided(problemDetails(least, declared, fits))
    : decided(withMessage(least, whole, fits))
}

const codes = Object.keys(failureStatus) as FailureCode[]

/** A message as long as those of requests that break long rules. */
const longMessage = `body/items/0/“name” must be one of: ${'north, east, south, west, '.repeat(60)}`

const failuresOf = (statuses: ReadonlySet<number>): Failure[] =>
  codes
    .filter((code) => statuses.has(failureStatus[code]))
    .flatMap((code) =>
      [{}, { message: longMessage }].map((details) => new FailureError(code, details).failure)
    )

const status = new Expression('status', (failure) => failure.status)
const title = new Expression("STATUS_CODES[status] ?? 'Error'", (failure) => STATUS_CODES[failure.status])
const message = new Expression('message', (failure) => failure.message)
const firstCharacters = (count: number) =>
  new Expression(`message.slice(0, ${count})`, (failure) => failure.message.slice(0, count))

/** Numbers of characters to which messages are cut; a shorter text is not for messages. */
const lengths = [2000, 1000, 500, 255, 200, 120, 100, 80, 64, 50, 40, 30, 20]

/** Returns the body with the message, or its beginning, at the path; undefined where the contract refuses it. */
function messageAt(body: unknown, way: Path, fits: Fits): unknown {
  const texts = [message, ...lengths.map(firstCharacters)]
  return texts.map((text) => placed(body, way, text)).find(fits)
}

/** Returns a copy with a value at the path; a member of the root may be new. */
function placed(body: unknown, way: Path, value: unknown): unknown {
  const [name, ...inner] = way
  return typeof name === 'string' && inner.length === 0
    ? { ...Object(body), [name]: value }
    : withValueAt(body, way, value)
}

const textMembers = ['detail', 'title']
/** Type of a problem that its status describes (RFC 9457, section 4.2.1). */
const noType = 'about:blank'

/** Fills the members that RFC 9457, section 3.1, defines, in the order of the contract. */
function problemDetails(least: unknown, declared: readonly string[], fits: Fits): unknown {
  const text = textMembers.find((name) => declared.includes(name)) ?? ''
  const isRequired = Object.hasOwn(Object(least), 'type')
  const parts: Readonly<Record<string, unknown>> = { title, status, ...(isRequired && { type: noType }) }
  let body = messageAt(least, [text], fits) ?? least
  for (const name of declared.filter((each) => each !== text && Object.hasOwn(parts, each))) {
    const filled = placed(body, [name], parts[name])
    if (fits(filled)) body = filled
  }
  const names = [...new Set([...declared, ...Object.keys(Object(body))])]
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.hasOwn(Object(body), name) ? [[name, Reflect.get(Object(body), name)]] : []
    )
  )
}

/** Puts the message into the only text that can hold it: a required one; an optional one where none is required. */
function withMessage(least: unknown, whole: unknown, fits: Fits): unknown {
  const required = textsOf(least).flatMap((way) => messageAt(least, way, fits) ?? [])
  if (required.length > 0) return required.length === 1 ? required[0] : least
  const members = textsOf(whole).filter(
    (way) => way.length === 1 && !Object.hasOwn(Object(least), String(way[0]))
  )
  const optional = members.flatMap((way) => messageAt(least, way, fits) ?? [])
  return optional.length === 1 ? optional[0] : least
}

const isSource = (value: unknown): boolean => value instanceof Source

const textsOf = (body: unknown): Path[] =>
  leavesOf(body, isSource).flatMap(([way, leaf]) => (typeof leaf === 'string' ? [way] : []))

function decided(body: unknown): Sample {
  const samples = leavesOf(body, isSource).filter(([, leaf]) => !(leaf instanceof Source || leaf === noType))
  return { body, undecided: samples.map(([way]) => way.join('/')) }
}

export const expressionsIn = (body: unknown): Expression[] =>
  leavesOf(body, isSource).flatMap(([, leaf]) => (leaf instanceof Expression ? [leaf] : []))

/** Returns the body of a failure. */
export function bodyOf(body: unknown, failure: Failure): unknown {
  if (body instanceof Expression) return body.of(failure)
  if (Array.isArray(body)) return body.map((item) => bodyOf(item, failure))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, bodyOf(part, failure)]))
}
