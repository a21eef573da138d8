/** Integers beyond 2^53 inside a schema for Ajv, which writes schemas as JSON wherever it likes, and so can not hold a bigint. */

export class Wide {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }

  /** Near enough for what Ajv does with it: nothing but to look at its type. */
  toJSON(): number {
    return Number(this.value)
  }
}

/** A value of a contract with every bigint wrapped. */
export function wrapped(value: unknown): unknown {
  if (typeof value === 'bigint') return new Wide(value)
  return mapped(value, wrapped)
}

export function unwrapped(value: unknown): unknown {
  if (value instanceof Wide) return value.value
  return mapped(value, unwrapped)
}

function mapped(value: unknown, map: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map)
  if (typeof value !== 'object' || value === null) return value
  const result = {}
  for (const [name, member] of Object.entries(value))
    Object.defineProperty(result, name, {
      value: map(member),
      enumerable: true,
      configurable: true,
      writable: true
    })
  return result
}
