/** Evaluates the runtime expressions in the target of a callback (OpenAPI 3.1.0, section 4.8.20.4). */
import { percentEncoded, withPathValue } from '../client/parameter-text.ts'
import { unescapePointer } from '../json/pointer.ts'
import type { AnsweredExchange } from '../model/contract-types.ts'
import { TargetRefused } from './target.ts'

/**
 * Returns the target. The value of an expression at its beginning is taken as it is; later ones are percent-encoded.
 * @throws {TargetRefused} for an expression without a value that a URL can have at this place
 */
export function targetIn(template: string, exchange: AnsweredExchange): string {
  const [first = '', ...rest] = template.split(/\{(\$[^}]*)\}/)
  let target = first
  for (let index = 0; index < rest.length; index += 2) {
    const [expression = '', literal = ''] = rest.slice(index)
    target = withValue(target, evaluated(expression, exchange), { expression, literal }) + literal
  }
  return target
}

interface Place {
  readonly expression: string
  /** Text behind the expression. */
  readonly literal: string
}

function withValue(start: string, value: unknown, { expression, literal }: Place): string {
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    throw new TargetRefused(`${expression} has no value that a URL can have`)
  if (start === '') return String(value)
  try {
    const encoded = percentEncoded(String(value))
    return /[?#]/.test(start) ? start + encoded : withPathValue(start, encoded, literal)
  } catch (error) {
    throw new TargetRefused(`${expression} ${(error as Error).message}`)
  }
}

function evaluated(expression: string, { request, response = {} }: AnsweredExchange): unknown {
  const whole = { $url: request.url, $method: request.method, $statusCode: response.status }
  if (Object.hasOwn(whole, expression)) return whole[expression as keyof typeof whole]
  const [, side, place, name = ''] =
    /^\$(request|response)\.(?:(header|query|path)\.(.+)|body(?:#.*)?)$/s.exec(expression) ?? []
  const message: AnsweredExchange['request'] = side === 'request' ? request : response
  if (side === undefined) throw new TargetRefused(`${expression} is not a runtime expression`)
  if (place === undefined) return atPointer(message.body, expression.split('#')[1] ?? '')
  if (place === 'header') return headerOf(message, name)
  return memberOf(place === 'query' ? message.query : message.params, name)
}

/** Header names have no case (RFC 9110, section 5.1). Headers as sent come before those of the contract. */
function headerOf({ headers, allHeaders }: AnsweredExchange['request'], name: string): unknown {
  const all = [...Object.entries(allHeaders ?? {}), ...Object.entries(headers ?? {})]
  return all.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]
}

/** Follows a JSON pointer (RFC 6901). */
function atPointer(body: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.map(unescapePointer).reduce(memberOf, body)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
