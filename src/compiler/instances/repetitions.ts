/** Estimates the length of the texts that match a pattern, of which `(a{1000}){1000}` has only long ones. */

const token =
  /\\(?:[pPu]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|\{(?<least>\d+)(?<open>,\d*)?\}|[\s\S]/g

/** Characters by which fast-check exceeds the least number of a quantifier without a limit, on average. */
const further = 4

/** @returns about the number of characters, those of every alternative together */
export function expectedLength(source: string): number {
  const lengths = [0]
  let last = 0
  const add = (length: number) => {
    lengths.push(Number(lengths.pop()) + length)
    last = length
  }
  const repeat = (times: number) => {
    const once = last
    add(once * (times - 1))
    last = once * times
  }
  for (const { 0: text, groups: { least, open } = {} } of source.matchAll(token)) {
    if (least !== undefined) repeat(Number(least) + (open === undefined ? 0 : further))
    else if (text === '*' || text === '+') repeat(1 + further)
    else if (text.startsWith('(')) lengths.push(0)
    else if (text === ')') add(lengths.length > 1 ? Number(lengths.pop()) : 0)
    else if (!'^$|?'.includes(text)) add(1)
  }
  return lengths.reduce((sum, length) => sum + length)
}
