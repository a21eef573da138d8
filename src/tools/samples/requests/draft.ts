/**
 * The operations of a contract as checked, each beside its source schemas, and their requests before they become bytes:
 * the values of parameters and body.
 */
import {
  anyValue,
  type Content,
  type Operation as Declared,
  type Contract as Model,
  make,
  type Parameter,
  type Response,
  type Schema
} from '@contract-first/contract'
import {
  type Contract,
  isHeaderName,
  type Operation,
  type ParameterSpec,
  type RequestContent
} from '@contract-first/engine/model'
import { pathMatcher } from '@contract-first/engine/steps'
import { schemaOf } from '../../../compiler/compile/operations/parameter-spec.ts'
import { itemList } from '../../../compiler/compile/operations/sequence.ts'

export interface SubjectParameter {
  readonly spec: ParameterSpec
  readonly schema: Schema
  readonly declared: Parameter
}

export interface SubjectBody {
  readonly content: RequestContent
  readonly schema: Schema
  readonly declared: Content
}

export interface Subject {
  /** Method and path: `POST /pets`. */
  readonly name: string
  readonly operation: Operation
  readonly declared: Declared
  readonly parameters: readonly SubjectParameter[]
  /** Bodies in each media type that can be made. */
  readonly bodies: readonly SubjectBody[]
  /** Returns true for a path that belongs to another template of the contract, because that has no name there. */
  readonly isOther: (path: string) => boolean
}

export function subjectsOf(
  { operations }: Pick<Contract, 'operations'>,
  model: Pick<Model, 'operations'>
): readonly Subject[] {
  const paths = [...new Set(operations.map(({ path }) => path))]
  const byName = new Map(model.operations.map((each) => [`${each.method} ${each.path}`, each]))
  return operations.map((operation) => {
    const name = `${operation.method} ${operation.path}`
    const declared = byName.get(name) as Declared
    return {
      name,
      operation,
      declared,
      parameters: operation.parameters.flatMap((spec) => withSchema(spec, declared)),
      bodies: bodiesOf(operation, declared),
      isOther: isOneOf(paths.filter((other) => isMoreConcrete(other, operation.path)))
    }
  })
}

/** Returns true for a template that takes some of the paths of another one: it comes first (OpenAPI 3.1.0, section 4.8.8.2). */
function isMoreConcrete(other: string, path: string): boolean {
  const [segments, others] = [path.split('/'), other.split('/')]
  const isPart = (segment: string, index: number) =>
    segment === others[index] || (segment.includes('{') && !others[index]?.includes('{'))
  return path !== other && segments.length === others.length && segments.every(isPart)
}

function isOneOf(templates: readonly string[]): Subject['isOther'] {
  const matches = templates.map(pathMatcher)
  return (path) => matches.some((match) => match(path) !== undefined)
}

const withSchema = (spec: ParameterSpec, { parameters }: Declared): SubjectParameter[] =>
  parameters
    .filter((parameter) => parameter.name === spec.name && parameter.in === spec.in)
    .map((declared) => ({ spec, schema: canCarry(spec) ? schemaOf(declared) : never, declared }))

/** Returns false for a header whose name no request can carry. */
const canCarry = (spec: ParameterSpec): boolean => spec.in !== 'header' || isHeaderName(spec.name)

const never = make({ never: true }, anyValue)

const bodiesOf = ({ requestBody }: Operation, { body }: Declared): SubjectBody[] =>
  (requestBody?.content ?? []).flatMap((content) => {
    const declared = body?.contents.find(({ mediaType }) => mediaType === content.mediaType)
    // Three items have a first and a middle one.
    return declared === undefined
      ? []
      : [{ content, schema: itemList(declared, { minItems: 3 }) ?? declared.schema ?? anyValue, declared }]
  })

/** Returns the declared response of a status: exact before class before default (OpenAPI 3.1.0, section 4.8.16.2). */
export const sourceOf = ({ responses }: Declared, status: number): Response | undefined =>
  responses.get(`${status}`) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default')

/** The kind of id that a request creates; each request gets one of its own (fresh-ids.ts). */
export type IdKind = 'plain' | 'highest' | 'lowest' | 'beyond' | 'wrong'

export interface DraftBody {
  readonly of: SubjectBody
  readonly value: unknown
}

/** A request as sent. */
export interface RawRequest {
  readonly method: string
  /** Path below the base URL, and the query. */
  readonly target: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export type Rewrite = (raw: RawRequest) => RawRequest

export interface Draft {
  readonly subject: Subject
  /** Values in the order of the parameters; undefined for one that is left out. */
  readonly values: readonly unknown[]
  readonly body?: DraftBody | undefined
  /** Changes the request before it is sent: malformed, of another media type, without its body. */
  readonly rewrite?: Rewrite | undefined
  /** Kind of id to create; ids stay as they are when absent. */
  readonly id?: IdKind | undefined
}
