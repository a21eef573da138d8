/** Makes smaller values that may show the same finding: the first ones leave out the most. */

/** Yields values that are all smaller than the given one, so that a search ends. */
export function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) yield* smallerLists(value)
  else if (typeof value === 'object' && value !== null) yield* smallerObjects(value)
  else if (typeof value === 'string') yield* smallerTexts(value)
  else if (typeof value === 'bigint') yield* smallerIntegers(value)
  else if (typeof value === 'number') yield* smallerNumbers(value)
}

function* smallerLists(list: readonly unknown[]): Generator<unknown> {
  if (list.length === 0) return
  yield []
  if (list.length > 2) yield list.slice(0, Math.ceil(list.length / 2))
  if (list.length > 1) yield list.slice(0, -1)
  for (const [index, item] of list.slice(0, 3).entries())
    for (const smaller of smallerValues(item)) yield list.with(index, smaller)
}

function* smallerObjects(object: object): Generator<unknown> {
  const entries = Object.entries(object)
  for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
  for (const [name, member] of entries)
    for (const smaller of smallerValues(member))
      yield Object.fromEntries(entries.map(([other, own]) => [other, other === name ? smaller : own]))
}

function* smallerTexts(text: string): Generator<string> {
  if (text === '') return
  yield ''
  if (text.length > 1) yield 'a'
  const characters = [...text]
  const middle = Math.floor(characters.length / 2)
  if (middle === 0) return
  yield characters.slice(0, middle).join('')
  yield characters.slice(middle).join('')
}

function* smallerIntegers(integer: bigint): Generator<bigint> {
  if (integer !== 0n) yield 0n
  if (integer > 1n || integer < -1n) yield integer / 2n
}

function* smallerNumbers(number: number): Generator<number> {
  if (number !== 0) yield 0
  if (Math.abs(number) > 1) yield Math.trunc(number / 2)
}
