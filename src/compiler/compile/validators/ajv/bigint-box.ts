/** Boxes integers beyond 2^53 in a schema for Ajv, which writes schemas as JSON and therefore cannot hold a bigint. */

export class BigIntBox {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }

  /** Returns a rounded value: Ajv only checks `typeof`, and never compares it. */
  toJSON(): number {
    return Number(this.value)
  }
}

/** @returns a copy of a JSON value of a contract with each bigint in a box */
export function box(value: unknown): unknown {
  return typeof value === 'bigint' ? new BigIntBox(value) : mapped(value, box)
}

/** @returns a copy with each box replaced by its bigint */
export function unbox(value: unknown): unknown {
  return value instanceof BigIntBox ? value.value : mapped(value, unbox)
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
