/** Draws one row for each server, whose bars are parts of a sum or separate. */
import { inWords, linearScale, type Scale } from './scale.ts'
import { line, px, svg, text, width } from './svg.ts'

export interface BarChart {
  readonly title: string
  readonly caption: string
  /** Name and unit of the axis. */
  readonly axis: string
  /** `stacked`: the parts of a bar add up. `grouped`: each is a bar of its own. */
  readonly kind: 'stacked' | 'grouped'
  readonly bars: readonly Bar[]
}

export interface Bar {
  readonly name: string
  readonly parts: readonly Part[]
}

interface Part {
  readonly name: string
  readonly value: number
}

const left = 210
const right = width - 80
const barHeight = 20

export function barChart(chart: BarChart): string {
  const { title, caption, axis, kind, bars } = chart
  const names = [...new Set(bars.flatMap(({ parts }) => parts.map(({ name }) => name)))]
  const isStacked = kind === 'stacked'
  const lengths = bars.map(({ parts }) =>
    lengthOf(
      parts.map(({ value }) => value),
      isStacked
    )
  )
  const scale = linearScale(Math.max(...lengths))
  const top = names.length > 1 ? 74 : 50
  const rowHeight = 16 + barHeight * (isStacked ? 1 : names.length)
  const bottom = top + bars.length * rowHeight
  const rows = bars.map((bar, index) => row(bar, { y: top + 8 + index * rowHeight, names, isStacked, scale }))
  const legend = names.length > 1 ? legendOf(names) : []
  const content = [...grid(scale, top, bottom), ...legend, ...rows, line([left, top], [left, bottom], 'axis')]
  const label = text(axis, { x: (left + right) / 2, y: bottom + 38, anchor: 'middle', className: 'quiet' })
  return svg({ title, caption, height: bottom + 78 }, [...content, label])
}

function lengthOf(values: readonly number[], isStacked: boolean): number {
  return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
}

function grid({ ticks, position }: Scale, top: number, bottom: number): string[] {
  return ticks.flatMap(({ value, name }) => {
    const x = left + position(value) * (right - left)
    return [
      line([x, top], [x, bottom], 'grid'),
      text(name, { x, y: bottom + 18, anchor: 'middle', className: 'quiet' })
    ]
  })
}

function legendOf(names: readonly string[]): string[] {
  let x = left
  return names.map((name, index) => {
    const item = `<rect class="fill${index}" x="${px(x)}" y="47" width="12" height="12" rx="2"/>${text(name, { x: x + 18, y: 58 })}`
    x += 44 + 7.5 * name.length
    return item
  })
}

interface Row {
  readonly y: number
  readonly names: readonly string[]
  readonly isStacked: boolean
  readonly scale: Scale
}

function row({ name, parts }: Bar, { y, names, isStacked, scale }: Row): string {
  const values = names.map((each) => parts.find((part) => part.name === each)?.value ?? 0)
  let before = 0
  const rects = values.map((value, index) => {
    const at = y + (isStacked ? 0 : index * barHeight)
    const from = left + scale.position(isStacked ? before : 0) * (right - left)
    before += value
    const length = scale.position(value) * (right - left)
    const rect = `<rect class="fill${index}" x="${px(from)}" y="${at}" width="${px(length)}" height="${barHeight - (isStacked ? 0 : 3)}"/>`
    const isSum = !isStacked || index === values.length - 1
    return isSum
      ? rect + text(inWords(isStacked ? before : value), { x: from + length + 6, y: at + 15 })
      : rect
  })
  const middle = y + (barHeight * (isStacked ? 1 : names.length)) / 2 + 5
  return [text(name, { x: left - 10, y: middle, anchor: 'end' }), ...rects].join('\n')
}
