/** Types of the statuses of ranges and of `default`. */
import type { Operation } from '@contract-first/engine/model'

/** Returns the types of all ranges, and of all statuses. */
export function statusClasses(): string {
  const codes = (first: number) => Array.from({ length: 100 }, (_, index) => first * 100 + index).join(' | ')
  const classes = [1, 2, 3, 4, 5].map((first) => `export type Status${first}XX = ${codes(first)};`)
  return [
    ...classes,
    'export type AnyStatus = Status1XX | Status2XX | Status3XX | Status4XX | Status5XX;'
  ].join('\n')
}

/** Returns the statuses of a range, or all statuses, without those that are declared more specifically. */
export function statusType(operation: Operation, status: string): string {
  if (/^\d+$/.test(status)) return status
  const others = Object.keys(operation.responses)
  const exact = others.filter((other) => /^\d+$/.test(other))
  const classes =
    status === 'default'
      ? others.filter((other) => /^\dXX$/.test(other)).map((other) => `Status${other}`)
      : []
  const excluded = [...exact, ...classes]
  const all = status === 'default' ? 'AnyStatus' : `Status${status}`
  return excluded.length === 0 ? all : `Exclude<${all}, ${excluded.join(' | ')}>`
}
