/** Draws a bar for each server as SVG, so that a page shows what the benchmark measured. */

export interface Bar {
  readonly name: string
  /** Drawn one after the other. */
  readonly parts: readonly { readonly name: string; readonly value: number }[]
}

export interface Chart {
  readonly title: string
  readonly unit: string
  readonly bars: readonly Bar[]
}

const width = 760
const barsFrom = 220
const barWidth = width - barsFrom - 90
const barHeight = 22
const rowHeight = 34
const top = 46
const colours = ['#2f6f4f', '#7fb069', '#c9d8b6', '#8d99ae']

export function barChart({ title, unit, bars }: Chart): string {
  const max = Math.max(...bars.map(sum))
  const parts = [...new Set(bars.flatMap((bar) => bar.parts.map(({ name }) => name)))]
  const height = top + bars.length * rowHeight + (parts.length > 1 ? 30 : 6)
  const rows = bars.map((bar, index) => row(bar, { y: top + index * rowHeight, max, parts, unit }))
  const legend = parts.length > 1 ? parts.map((part, index) => legendItem(part, index, height)) : []
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="12" y="26" font-size="15" font-weight="600" fill="#222222">${escaped(title)}</text>
${[...rows, ...legend].join('\n')}
</svg>
`
}

interface Row {
  readonly y: number
  readonly max: number
  readonly parts: readonly string[]
  readonly unit: string
}

function row(bar: Bar, { y, max, parts, unit }: Row): string {
  let x = barsFrom
  const rects = bar.parts.map(({ name, value }) => {
    const length = (value / max) * barWidth
    const rect = `<rect x="${x.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${colours[parts.indexOf(name) % colours.length]}"/>`
    x += length
    return rect
  })
  const text = (at: number, anchor: string, content: string) =>
    `<text x="${at.toFixed(1)}" y="${y + 16}" text-anchor="${anchor}" fill="#222222">${escaped(content)}</text>`
  return [
    text(barsFrom - 10, 'end', bar.name),
    ...rects,
    text(x + 6, 'start', `${rounded(sum(bar))} ${unit}`)
  ].join('\n')
}

function legendItem(part: string, index: number, height: number): string {
  const x = barsFrom + index * 110
  return `<rect x="${x}" y="${height - 22}" width="12" height="12" fill="${colours[index % colours.length]}"/><text x="${x + 18}" y="${height - 12}" fill="#222222">${escaped(part)}</text>`
}

const sum = ({ parts }: Bar): number => parts.reduce((all, { value }) => all + value, 0)

const rounded = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
