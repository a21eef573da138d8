/** Annotations of an operation: what handlers read, and `x-deprecation`, `x-sunset`, `x-strict-query`, `x-body-limit`. */
import type { Operation, RequestContent } from '@contract-first/engine/model'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { Parameter } from '../document/parameter-objects.ts'
import { dereference } from '../document/reference.ts'
import type { LoadedContract } from '../load/load.ts'

export interface AnnotationProblem {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly node: JsonObject
  readonly key: string
}

type Report = (problem: AnnotationProblem) => void

/** Reads what only handlers use. `x-…` of a path item are not those of its operations: OpenAPI inherits none. */
export function annotationsOf(node: JsonObject): Pick<Operation, 'tags' | 'extensions'> {
  const tags = arrayOf(own(node, 'tags')).map(String)
  const extensions = Object.entries(node).filter(([name]) => name.startsWith('x-'))
  return {
    ...(tags.length > 0 && { tags }),
    ...(extensions.length > 0 && { extensions: Object.fromEntries(extensions) })
  }
}

/** Headers by their extension, and the way to write a date in each: RFC 9745, section 2.1; RFC 8594, section 3. */
const notices: readonly (readonly [key: string, header: string, write: (date: Date) => string])[] = [
  ['x-deprecation', 'Deprecation', (date) => `@${date.getTime() / 1000}`],
  ['x-sunset', 'Sunset', (date) => date.toUTCString()]
]

/** Returns the headers that announce the end of an operation, in each of its responses. */
export function noticesOf(node: JsonObject, report: Report): Pick<Operation, 'notices'> {
  const headers = notices.flatMap(([key, header, write]) => {
    const value = own(node, key)
    if (value === undefined) return []
    const date = dateOf(value)
    if (date === undefined) report({ severity: 'warning', message: `${key} ${wrongDate}`, node, key })
    else if (own(node, 'deprecated') !== true)
      report({ severity: 'warning', message: `${key} ${notDeprecated}`, node, key })
    else return [[header, write(date)]]
    return []
  })
  return headers.length > 0 ? { notices: Object.fromEntries(headers) } : {}
}

const wrongDate = 'has no effect: it is no date such as 2027-01-31 or 2027-01-31T12:00:00Z'
const notDeprecated = 'has no effect: the operation is not `deprecated: true`'

/** Returns a date of a whole second; a date without a time is the beginning of its day in UTC. */
function dateOf(value: Json): Date | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?$/.exec(String(value)) ?? []
  const date = new Date(String(value))
  // A day that its month lacks would become one of the next month.
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && isInMonth(day)
  return isDay && !Number.isNaN(date.getTime()) ? date : undefined
}

const isInMonth = (day: string): boolean => new Date(day).toISOString().startsWith(day)

const strictKey = 'x-strict-query'

/** Returns the names of API keys in the query, beside which a strict operation accepts declared parameters only. */
export function strictQueryOf(
  { document, node }: { readonly document: JsonObject; readonly node: JsonObject },
  parameters: readonly Parameter[],
  report: Report
): Pick<Operation, 'strictQuery'> {
  const holder = own(node, strictKey) === undefined ? document : node
  const value = own(holder, strictKey)
  if (value === undefined || value === false) return {}
  if (value !== true) report({ severity: 'error', message: notBoolean, node: holder, key: strictKey })
  if (parameters.some((parameter) => parameter.in === 'querystring')) {
    if (holder === node) report({ severity: 'warning', message: wholeQuery, node, key: strictKey })
    return {}
  }
  return value === true ? { strictQuery: queryKeys(document) } : {}
}

const notBoolean = `${strictKey} must be true or false`
const wholeQuery = `${strictKey} has no effect: the schema of the whole query decides which names it has`

function queryKeys(document: JsonObject): readonly string[] {
  const schemes = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  return Object.values(schemes)
    .map((scheme) => objectOf(dereference(document, scheme)))
    .filter((scheme) => own(scheme, 'type') === 'apiKey' && own(scheme, 'in') === 'query')
    .map((scheme) => String(own(scheme, 'name')))
}

const bodyLimitKey = 'x-body-limit'

/**
 * Returns the largest body of a request in bytes.
 * @param nodes objects that may set the limit, the most specific one first
 */
export function bodyLimit(
  nodes: readonly JsonObject[],
  { locator }: LoadedContract,
  problems: ContractProblem[]
): Pick<RequestContent, 'limit'> {
  const node = nodes.find((candidate) => own(candidate, bodyLimitKey) !== undefined)
  if (node === undefined) return {}
  const limit = own(node, bodyLimitKey)
  if (Number.isSafeInteger(limit) && Number(limit) > 0) return { limit: Number(limit) }
  const message = `${bodyLimitKey} must be a number of bytes, at least 1`
  problems.push(locator.problem('error', message, node, bodyLimitKey))
  return {}
}
