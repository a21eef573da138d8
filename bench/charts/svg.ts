/** The parts that all charts share: colours for light and dark pages, texts, and the frame. */

/** Colours of the series, which also differ in lightness: some readers do not distinguish red and green. */
const light = ['#2f6f4f', '#2f7aa5', '#9a6410', '#6b7789', '#7a4f8f']
const dark = ['#63b98a', '#7cb8dc', '#e2b45f', '#a9b4c4', '#c39bd8']

/** Styles of the image, which GitHub and browsers show in the theme of the system. */
const style = `.page{fill:#ffffff}.text{fill:#1f2328}.quiet{fill:#59636e}.grid{stroke:#d8dee4}.axis{stroke:#818b98}
${rules(light)}
@media (prefers-color-scheme: dark){.page{fill:#0d1117}.text{fill:#e6edf3}.quiet{fill:#9198a1}.grid{stroke:#2b3138}.axis{stroke:#656c76}
${rules(dark)}}`

function rules(colours: readonly string[]): string {
  return colours
    .map((colour, index) => `.fill${index}{fill:${colour}}.line${index}{stroke:${colour};fill:none}`)
    .join('')
}

export interface Frame {
  readonly title: string
  /** Method of the measurement. */
  readonly caption: string
  readonly height: number
}

export const width = 760

/** @param content elements between the title and the caption */
export function svg({ title, caption, height }: Frame, content: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect class="page" width="${width}" height="${height}" rx="8"/>
${[
  text(title, { x: 20, y: 30, size: 15, weight: 600 }),
  ...content,
  text(caption, { x: 20, y: height - 14, size: 11, className: 'quiet' })
].join('\n')}
</svg>
`
}

interface TextStyle {
  readonly x: number
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly className?: string
  readonly size?: number
  readonly weight?: number
}

export function text(content: string, style: TextStyle): string {
  const { x, y, anchor = 'start', className = 'text', size, weight } = style
  const attributes = [
    `class="${className}" x="${px(x)}" y="${px(y)}"`,
    anchor === 'start' ? '' : ` text-anchor="${anchor}"`,
    size === undefined ? '' : ` font-size="${size}"`,
    weight === undefined ? '' : ` font-weight="${weight}"`
  ]
  return `<text ${attributes.join('')}>${escaped(content)}</text>`
}

export function line([x1, y1]: Point, [x2, y2]: Point, className: string): string {
  return `<line class="${className}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`
}

export type Point = readonly [x: number, y: number]

/** @returns a coordinate with one decimal place at most */
export const px = (value: number): string => String(Math.round(value * 10) / 10)

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
