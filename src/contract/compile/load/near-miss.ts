/** Whether a name that OpenAPI does not know looks like one that it does. */

/** Misspelt, they are lost to a reader, and change nothing that is served. */
const descriptive = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'deprecated'
])

/** Letter case, hyphens and underscores aside, one letter is missing, too many, or another one, or two are swapped. */
export function isMisspelt(written: string, meant: string): boolean {
  if (/^x-/i.test(written) || /^x-/i.test(meant) || descriptive.has(meant)) return false
  const [a, b] = [written, meant].map((name) => name.toLowerCase().replaceAll(/[-_]/g, '')) as [
    string,
    string
  ]
  if (a === b) return true
  if (Math.min(a.length, b.length) < 4) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rests = [
    [a.slice(start + 1), b.slice(start)],
    [a.slice(start), b.slice(start + 1)],
    [a.slice(start + 1), b.slice(start + 1)]
  ]
  const swapped =
    a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2)
  return swapped || rests.some(([left, right]) => left === right)
}
