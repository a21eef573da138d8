/** Keywords of strings, numbers and lists. */
import { pattern } from '@contract-first/engine/model'
import { canonical, isMultipleOf } from '@contract-first/engine/runtime/validators'
import { arrayOf, type Json, type JsonObject, own } from '../compile/document/json-value.ts'
import { translatePattern } from '../compile/document/translate-pattern.ts'
import { formatCheck } from '../compile/vocabulary/formats.ts'
import { all, counted, rulesOf, type Verdict } from './context.ts'
import { unevaluated } from './unevaluated.ts'

/** Returns a text that is equal for two values exactly when they are equal JSON. */
export const identity = (value: unknown): string => canonical(value)

const translations = new Map<string, string | undefined>()

/** Returns whether a text matches a pattern; undefined for a pattern that is not ECMA-262 and has no translation. */
export function matches(source: string, text: string): Verdict {
  if (!translations.has(source)) translations.set(source, translatePattern(source))
  const translated = translations.get(source)
  return translated === undefined ? undefined : pattern(translated).test(text)
}

const length = (text: string): number => [...text].length

export const textRules = rulesOf<string>({
  minLength: (least, text) => length(text) >= Number(least),
  maxLength: (most, text) => length(text) <= Number(most),
  pattern: (source, text, { reading }) => matches(String(source), text) ?? (reading.isCompiled || undefined),
  format: (format, text, { reading }) =>
    formatCheck(String(format))?.(text) ?? (reading.isCompiled || undefined)
})

/** Least and greatest value of the formats of integers (https://spec.openapis.org/registry/format/). */
export const integerRanges: ReadonlyMap<Json | undefined, readonly [bigint, bigint]> = new Map([
  ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]]
])

export const numberRules = rulesOf<number | bigint>({
  minimum: (least, value) => value >= (least as number),
  maximum: (most, value) => value <= (most as number),
  exclusiveMinimum: (bound, value) => value > (bound as number),
  exclusiveMaximum: (bound, value) => value < (bound as number),
  multipleOf: (divisor, value) => isMultipleOf(value, divisor as number),
  format: (format, value) => {
    const range = integerRanges.get(format)
    if (range === undefined) return true
    return (typeof value === 'bigint' || Number.isInteger(value)) && value >= range[0] && value <= range[1]
  }
})

const prefixLength = (node: JsonObject): number => arrayOf(own(node, 'prefixItems')).length

export const listRules = rulesOf<Json[]>({
  minItems: (least, items) => items.length >= Number(least),
  maxItems: (most, items) => items.length <= Number(most),
  uniqueItems: (isUnique, items) => isUnique !== true || new Set(items.map(identity)).size === items.length,
  prefixItems: (prefix, items, { check }) =>
    all(
      items.slice(0, arrayOf(prefix).length).map((item, index) => check(arrayOf(prefix)[index] as Json, item))
    ),
  items: (schema, items, { node, check }) =>
    all(items.slice(prefixLength(node)).map((item) => check(schema, item))),
  contains: (schema, items, { node, check }) =>
    counted(
      items.map((item) => check(schema, item)),
      Number(own(node, 'minContains') ?? 1),
      Number(own(node, 'maxContains') ?? Number.POSITIVE_INFINITY)
    ),
  unevaluatedItems: (schema, items, context) =>
    unevaluated(items, context, {
      keyword: 'unevaluatedItems',
      check: (nodes) => {
        const counts = nodes.map((node) =>
          own(node, 'items') === undefined ? prefixLength(node) : items.length
        )
        return all(items.slice(Math.max(...counts)).map((item) => context.check(schema, item)))
      }
    })
})
