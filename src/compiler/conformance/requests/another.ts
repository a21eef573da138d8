/** Makes values like a given one, for lists and maps whose members must differ. */
import { isObject } from '../../compile/document/json-value.ts'

const digits = '0123456789'
const alphabets = [digits, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns a value that differs from the item by the index; texts keep their form, because of a pattern or a format. */
export function another(item: unknown, index: number): unknown {
  if (typeof item === 'string') return counted(item, index)
  if (typeof item === 'number') return item + index
  if (typeof item === 'bigint') return item + BigInt(index)
  if (!isObject(item)) return item
  const entries = Object.entries(item).map(([name, member]) => [name, another(member, index)] as const)
  return Object.fromEntries(entries)
}

/** Counts up the digits of a text, or its letters where it has no digits: the last one changes first. */
function counted(text: string, by: number): string {
  const counting = /\d/.test(text) ? [digits] : alphabets
  const characters = [...text]
  let carried = by
  for (let at = characters.length - 1; at >= 0 && carried > 0; at--) {
    const alphabet = counting.find((all) => all.includes(String(characters[at])))
    if (alphabet === undefined) continue
    const next = alphabet.indexOf(String(characters[at])) + carried
    characters[at] = alphabet.charAt(next % alphabet.length)
    carried = Math.floor(next / alphabet.length)
  }
  return characters.join('')
}
