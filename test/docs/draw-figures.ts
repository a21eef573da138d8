/** Draws the table of docs/figures.md as bars: measured values as shares of their targets. */

export interface Figure {
  readonly what: string
  readonly target: string
  readonly measured: string
  /** Worst measured value divided by the target; a lower bound is reached from 1 on, an upper bound up to 1. */
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
const right = 840
/** Width of a bar at the target. */
const whole = 400
const cut = right - 24

/** Styles of the image, which browsers and GitHub show in the theme of the system. */
const style = `.page{fill:#ffffff}.text{fill:#1f2328}.quiet{fill:#59636e}.tick{stroke:#59636e}.reached{fill:#2da44e}.missed{fill:#bf8700}
@media (prefers-color-scheme: dark){.page{fill:#0d1117}.text{fill:#e6edf3}.quiet{fill:#9198a1}.tick{stroke:#9198a1}.reached{fill:#3fb950}.missed{fill:#d29922}}`

export function drawFigures(figures: readonly Figure[]): string {
  const height = 56 + figures.length * rowHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>What was measured, against its target</title>
<style>${style}</style>
<rect class="page" width="860" height="${height}" rx="8"/>
<text class="quiet" x="${left + whole}" y="24" text-anchor="middle">target</text>
${figures.map(row).join('\n')}
</svg>
`
}

function row({ what, target, measured, share, isReached }: Figure, index: number): string {
  const top = 34 + index * rowHeight
  const verdict = isReached ? '' : ', missed'
  const tick = left + whole
  return [
    `<text class="text" x="${left}" y="${top + 12}">${escaped(what)}</text>`,
    `<text class="quiet" x="${right}" y="${top + 12}" text-anchor="end">${escaped(`${measured} (${target}${verdict})`)}</text>`,
    ...bar(share, top + 19, isReached ? 'reached' : 'missed'),
    `<line class="tick" x1="${tick}" y1="${top + 16}" x2="${tick}" y2="${top + 34}" stroke-width="2"/>`
  ].join('\n')
}

/** Draws a bar; one that is too long has a gap before its end. */
function bar(share: number, y: number, className: string): string[] {
  const rect = (from: number, to: number) =>
    `<rect class="${className}" x="${from}" y="${y}" width="${to - from}" height="12" rx="2"/>`
  const end = left + Math.round(share * whole)
  return end <= right ? [rect(left, end)] : [rect(left, cut), rect(cut + 6, right)]
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
