/** Compares the picture of the figures with their table; run by hand with `--write`, this test writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import { drawFigures, figuresIn } from './draw-figures.ts'

const picture = 'docs/images/figures.svg'
const figures = figuresIn(readFileSync('docs/figures.md', 'utf8'))
if (process.argv.includes('--write')) writeFileSync(picture, drawFigures(figures))

test('the picture shows every figure that has a target', async (t) => {
  t.ok(figures.length > 8)
  t.equal(readFileSync(picture, 'utf8'), drawFigures(figures))
})

test('a figure is a share of its target, and bold when it misses it', async (t) => {
  t.match(figuresIn('| creates | ≥ 7 × | **6.3** to 7.7 × | `x` |'), [
    { what: 'creates', target: '≥ 7 ×', measured: '6.3 to 7.7 ×', share: 0.9, isReached: false }
  ])
  t.match(figuresIn('| memory | < 300 MB | 254 MB | |'), [{ share: 254 / 300, isReached: true }])
  const bold = readFileSync('docs/figures.md', 'utf8').split('\n')
  for (const { what, isReached, target } of figures) {
    const line = bold.find((text) => text.replaceAll('`', '').includes(what) && text.includes(target.trim()))
    t.equal(line?.includes('**'), !isReached, what)
  }
})
