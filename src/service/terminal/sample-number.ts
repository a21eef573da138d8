/** Makes a number within the limits of a schema (JSON Schema 2020-12 Validation, section 6.2). */
import type { Node } from './examples.ts'

interface Limit {
  readonly value: number
  /** True if the limit itself is not allowed. */
  readonly isOpen: boolean
}

/** @returns undefined where none of the nearest multiples is within the limits */
export function sampleNumber(schema: Node): number | undefined {
  const { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const step = Number(multipleOf ?? 1)
  const least = limitOf(minimum, exclusiveMinimum, Number.NEGATIVE_INFINITY)
  const most = limitOf(maximum, exclusiveMaximum, Number.POSITIVE_INFINITY)
  const isValid = (value: number) =>
    (type !== 'integer' || Number.isInteger(value)) &&
    (least.isOpen ? value > least.value : value >= least.value) &&
    (most.isOpen ? value < most.value : value <= most.value)
  const from = Math.ceil(least.value / step)
  const to = Math.floor(most.value / step)
  const counts = [1, from, from + 1, to, to - 1].filter(Number.isInteger)
  return counts.map((count) => count * step).find(isValid)
}

/** Returns a limit. In OpenAPI 3.0 an exclusive limit is a flag of the inclusive one. */
function limitOf(closed: unknown, open: unknown, otherwise: number): Limit {
  const isFlag = typeof open === 'boolean'
  if (open === undefined || isFlag) return { value: Number(closed ?? otherwise), isOpen: open === true }
  return { value: Number(open), isOpen: true }
}
