/**
 * Orders texts by their UTF-16 code units, for `sort`: the same under every locale, unlike `localeCompare`.
 * @returns a negative number, zero or a positive number
 */
export function byCodeUnits(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}
