/** Scales of the axes: the positions of values, and the labels. */

export interface Tick {
  readonly value: number
  readonly name: string
}

export interface Scale {
  readonly ticks: readonly Tick[]
  /** @returns 0 at the beginning of the axis, 1 at its end */
  readonly position: (value: number) => number
}

/** Returns a scale from 0 to the first round value that is not below `max`. */
export function linearScale(max: number): Scale {
  const step = roundStep(max / 5)
  const steps = Math.max(1, Math.ceil(max / step - 1e-9))
  const ticks = Array.from({ length: steps + 1 }, (_, index) => named(step * index))
  return { ticks, position: (value) => value / (step * steps) }
}

/** Returns a scale from the power of ten below the smallest value to the one above the largest. */
export function logScale(values: readonly number[]): Scale {
  const from = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9))
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => named(10 ** (from + index)))
  return { ticks, position: (value) => (Math.log10(value) - from) / (to - from) }
}

/** Returns a logarithmic scale with labels for the given values only. */
export function namedScale(ticks: readonly Tick[]): Scale {
  const logs = ticks.map(({ value }) => Math.log10(value))
  const [from, to] = [Math.min(...logs), Math.max(...logs)]
  return { ticks, position: (value) => (Math.log10(value) - from) / (to - from) }
}

export function named(value: number): Tick {
  return { value, name: inWords(value) }
}

/** @returns `0.25`, `12.3` or `1,234` */
export function inWords(value: number): string {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en', { maximumFractionDigits: Math.min(digits, 3) })
}

/** @returns the next 1, 2 or 5 times a power of ten */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10)
}
