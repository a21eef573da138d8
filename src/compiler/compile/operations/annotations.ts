/**
 * Annotations of an operation: what handlers read, `x-deprecation`, `x-sunset`, `x-strict-query`, `x-stream` of bodies of bytes
 * with their bounds, and conditions of requests.
 */
import {
  anyValue,
  type Content,
  type Contract,
  endOf,
  type Json,
  make,
  type Operation,
  type Problem,
  type Schema,
  streamKey
} from '@contract-first/contract'
import { type Operation as Compiled, declaredResponse } from '@contract-first/engine/model'

type Report = (problem: Problem) => void

/** Reads what only handlers use. `x-…` of a path item are not those of its operations: OpenAPI inherits none. */
export function annotationsOf({ tags, extensions }: Operation): Pick<Compiled, 'tags' | 'extensions'> {
  return {
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(extensions).length > 0 && { extensions })
  }
}

/** Headers by their extension, and the way to write a date in each: RFC 9745, section 2.1; RFC 8594, section 3. */
const notices: readonly (readonly [key: string, header: string, write: (date: Date) => string])[] = [
  ['x-deprecation', 'Deprecation', (date) => `@${date.getTime() / 1000}`],
  ['x-sunset', 'Sunset', (date) => date.toUTCString()]
]

/** Returns the headers that announce the end of an operation, in each of its responses. */
export function noticesOf(operation: Operation, report: Report): Pick<Compiled, 'notices'> {
  const headers = notices.flatMap(([key, header, write]) => {
    const value = operation.extensions[key]
    if (value === undefined) return []
    const date = dateOf(value)
    if (date !== undefined && operation.deprecated) return [[header, write(date)]]
    const message = `${key} ${date === undefined ? wrongDate : notDeprecated}`
    report({ severity: 'warning', rule: key, message, origin: operation.origin.at(key) })
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
  operation: Operation,
  contract: Contract,
  report: Report
): Pick<Compiled, 'strictQuery'> {
  const holder = operation.extensions[strictKey] === undefined ? contract : operation
  const value = holder.extensions[strictKey]
  const problem = (severity: Problem['severity'], message: string) =>
    report({ severity, rule: strictKey, message, origin: holder.origin.at(strictKey) })
  if (value === undefined || value === false) return {}
  if (value !== true) problem('error', notBoolean)
  if (operation.parameters.some((parameter) => parameter.in === 'querystring')) {
    if (holder === operation) problem('warning', wholeQuery)
    return {}
  }
  return value === true ? { strictQuery: queryKeys(contract) } : {}
}

const notBoolean = `${strictKey} must be true or false`
const wholeQuery = `${strictKey} has no effect: the schema of the whole query decides which names it has`

const queryKeys = ({ components }: Contract): readonly string[] =>
  [...components.securitySchemes.values()]
    .filter(({ type, in: place }) => type === 'apiKey' && place === 'query')
    .map(({ parameter }) => String(parameter))

/** Returns a warning for each declared header that no response of the operation answers, or that its method ignores. */
export function conditionProblems(
  compiled: Pick<Compiled, 'method' | 'responses'>,
  { parameters }: Operation
): Problem[] {
  const { method, responses } = compiled
  const isRead = method === 'GET' || method === 'HEAD'
  const no412 = declaredResponse(compiled, 412) === undefined ? 'declares no response 412' : undefined
  const no304 = (responses['304'] ?? responses['3XX']) === undefined ? 'declares no response 304' : undefined
  const reasons = new Map([
    ['if-match', no412],
    ['if-none-match', isRead ? no304 : no412],
    ['if-modified-since', isRead ? no304 : 'is neither GET nor HEAD'],
    ['if-unmodified-since', no412]
  ])
  return parameters.flatMap(({ name, in: location, origin }) => {
    const reason = location === 'header' ? reasons.get(name.toLowerCase()) : undefined
    if (reason === undefined) return []
    const message = `${name} has no effect: the operation ${reason}`
    return [{ severity: 'warning', rule: 'condition', message, origin: origin.at('name') }]
  })
}

/**
 * Returns the schema of a body of bytes, which can only bound their number (OpenAPI 3.1.0, section 4.8.14.2).
 * @returns undefined when the schema sets no bound
 */
export function boundsOfBytes(schema: Schema): Schema | undefined {
  const { types = new Set(), minLength, maxLength, origin } = endOf(schema)
  if ((minLength === undefined && maxLength === undefined) || [...types].some((type) => type !== 'string'))
    return undefined
  return make(
    {
      types: new Set(['string'] as const),
      format: 'binary',
      ...(minLength !== undefined && { minLength }),
      ...(maxLength !== undefined && { maxLength })
    },
    { origin }
  )
}

/** Returns what is wrong with `x-stream` of a request body. */
export function streamProblems(content: Content): Problem[] {
  const { mediaType, kind, isStreamed, sequence, schema = anyValue, extensions, origin } = content
  const value = extensions[streamKey]
  const problem = (severity: Problem['severity'], message: string, key = streamKey): Problem[] => [
    { severity, rule: streamKey, message, origin: origin.at(key) }
  ]
  if (value === undefined || value === false) return []
  if (value !== true) return problem('error', `${streamKey} must be true or false`)
  if (sequence !== undefined)
    return problem('warning', `${streamKey} has no effect: items are always streamed`)
  if (!isStreamed)
    return problem('warning', `${streamKey} has no effect: a body of ${mediaType} is read as a whole`)
  if (kind !== 'bytes' || boundsOfBytes(schema) === undefined) return []
  const message = `minLength and maxLength of a streamed body have no effect: x-body-limit bounds it`
  return problem('warning', message, 'schema')
}
