/** Decides exactly which decimal numbers are multiples of others. */

/** Returns whether a number is a multiple of a step: `0.3` of `0.1`. */
export function isMultiple(value: number | bigint, step: number | bigint): boolean {
  const [a, b] = [decimal(value), decimal(step)]
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent)
  const divisor = scaled(b)
  return divisor !== 0n && scaled(a) % divisor === 0n
}

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Reads the shortest decimal of the number. */
function decimal(value: number | bigint): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(power) - fraction.length }
}
