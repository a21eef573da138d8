/** Draws series over an axis. */
import type { Scale } from './scale.ts'
import { line, type Point, px, svg, text, width } from './svg.ts'

export interface LineChart {
  readonly title: string
  readonly caption: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

export interface Axis {
  /** Name and unit of the axis. */
  readonly label: string
  readonly scale: Scale
}

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

const [left, right, top, bottom] = [76, width - 200, 70, 350]
/** Pixels between the names of two lines. */
const minGap = 17

export function lineChart({ title, caption, x, y, series }: LineChart): string {
  const at = ([first, second]: Point): Point => [
    left + x.scale.position(first) * (right - left),
    bottom - y.scale.position(second) * (bottom - top)
  ]
  const drawn = series.map(({ points }) => points.map(at))
  const content = [
    ...grid(x.scale, y.scale),
    line([left, bottom], [right, bottom], 'axis'),
    text(y.label, { x: 20, y: 54, className: 'quiet' }),
    text(x.label, { x: (left + right) / 2, y: bottom + 42, anchor: 'middle', className: 'quiet' }),
    ...drawn.map(path),
    ...names(series, drawn)
  ]
  return svg({ title, caption, height: bottom + 82 }, content)
}

function grid(x: Scale, y: Scale): string[] {
  const rows = y.ticks.flatMap(({ value, name }) => {
    const at = bottom - y.position(value) * (bottom - top)
    return [
      line([left, at], [right, at], 'grid'),
      text(name, { x: left - 10, y: at + 4, anchor: 'end', className: 'quiet' })
    ]
  })
  const columns = x.ticks.map(({ value, name }) => {
    const at = left + x.position(value) * (right - left)
    return text(name, { x: at, y: bottom + 20, anchor: 'middle', className: 'quiet' })
  })
  return [...rows, ...columns]
}

function path(points: readonly Point[], index: number): string {
  const steps = points.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')
  const dots = points.map(([x, y]) => `<circle class="fill${index}" cx="${px(x)}" cy="${px(y)}" r="3.5"/>`)
  return `<path class="line${index}" stroke-width="2" d="M${steps}"/>${dots.join('')}`
}

/** Writes the name of each line at its end, far enough from the others. */
function names(series: readonly Series[], drawn: readonly (readonly Point[])[]): string[] {
  const ends = drawn
    .map((points, index) => ({ index, end: points.at(-1) ?? ([left, bottom] as const) }))
    .toSorted((one, other) => one.end[1] - other.end[1])
  let last = Number.NEGATIVE_INFINITY
  return ends.map(({ index, end: [x, y] }) => {
    last = Math.max(y, last + minGap)
    return text(series[index]?.name ?? '', { x: x + 12, y: last + 4, className: `fill${index}` })
  })
}
