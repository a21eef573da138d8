/** Draws the table of docs/figures.md as bars: what was measured, as a share of its target. */

export interface Figure {
  readonly what: string
  readonly target: string
  readonly measured: string
  /** Of what was measured at worst in the target; at least 1 is reached for a least target, at most 1 for a largest one. */
  readonly share: number
  readonly isReached: boolean
}

/** Reads the rows that have a target. */
export function figuresIn(markdown: string): Figure[] {
  const rows = [...markdown.matchAll(/^\| (.+?) \| (≥|≤|<) ([\d.]+)([^|]*) \| ([^|]+) \|/gm)]
  return rows.map(([, what = '', sign = '', bound = '', unit = '', measured = '']) => {
    const numbers = [...(measured.split(',')[0] ?? '').matchAll(/[\d.]+/g)].map(Number)
    const share = (sign === '≥' ? Math.min(...numbers) : Math.max(...numbers)) / Number(bound)
    return {
      what: what.replaceAll('`', ''),
      target: `${sign} ${bound}${unit}`,
      measured: measured.replaceAll('*', ''),
      share,
      isReached: sign === '≥' ? share >= 1 : share <= 1
    }
  })
}

const rowHeight = 44
const left = 20
/** Width of a bar that is the target. */
const whole = 400

export function drawFigures(figures: readonly Figure[]): string {
  const height = 56 + figures.length * rowHeight
  const tick = left + whole
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>What was measured, against its target</title>
<rect width="860" height="${height}" rx="8" fill="#ffffff"/>
<text x="${tick}" y="22" text-anchor="middle" fill="#57606a">target</text>
<line x1="${tick}" y1="30" x2="${tick}" y2="${height - 16}" stroke="#57606a" stroke-dasharray="3 3"/>
${figures.map(row).join('\n')}
</svg>
`
}

function row({ what, target, measured, share, isReached }: Figure, index: number): string {
  const top = 34 + index * rowHeight
  const width = Math.round(share * whole)
  const verdict = isReached ? '' : ', missed'
  return [
    `<text x="${left}" y="${top + 12}" fill="#1f2328">${escaped(what)}</text>`,
    `<rect x="${left}" y="${top + 18}" width="${width}" height="12" rx="2" fill="${isReached ? '#2da44e' : '#bf8700'}"/>`,
    `<text x="${left + Math.max(width, whole) + 10}" y="${top + 29}" fill="#1f2328">${escaped(`${measured} (${target}${verdict})`)}</text>`
  ].join('\n')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
