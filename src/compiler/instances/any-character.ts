import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const lastCodePoint = 0x10ffff

/**
 * Makes any character of Unicode. fast-check's unit `binary` does too, but builds a table of all of them for a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: lastCodePoint - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count), indexOf)

/** @throws {TypeError} when the value is not one character, so that fast-check does not accept it */
function indexOf(value: unknown): number {
  const [character, ...others] = String(value)
  const codePoint = character?.codePointAt(0)
  if (codePoint === undefined || others.length > 0) throw new TypeError(`${value} is not one character`)
  return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count
}
