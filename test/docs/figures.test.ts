/** Holds docs/figures.md: a measured value is bold when it misses its target. */
import { readFileSync } from 'node:fs'
import { test } from 'tap'

interface Figure {
  readonly what: string
  readonly measured: string
  readonly isReached: boolean
}

/** Reads the rows that have a target: a lower bound is compared with the least value of the first range, an upper with the largest. */
function figuresIn(markdown: string): Figure[] {
  const rows = [...markdown.matchAll(/^\| (.+?) \| (≥|≤|<) ([\d.]+)[^|]* \| ([^|]+) \|/gm)]
  return rows.map(([, what = '', sign, bound, measured = '']) => {
    const values = [...(measured.split(',')[0] ?? '').matchAll(/[\d.]+/g)].map(Number)
    const isReached =
      sign === '≥' ? Math.min(...values) >= Number(bound) : Math.max(...values) <= Number(bound)
    return { what, measured, isReached }
  })
}

test('a figure is bold when it misses its target', async (t) => {
  const figures = figuresIn(readFileSync('docs/figures.md', 'utf8'))
  t.ok(figures.length > 8)
  for (const { what, measured, isReached } of figures) t.equal(measured.includes('**'), !isReached, what)
})
