/** Renders the output of a terminal as HTML, for a screenshot in a browser. */

/** CSS of the SGR parameters used here (ECMA-48, section 8.3.117). */
const styles: Readonly<Record<string, string>> = {
  1: 'font-weight:bold',
  2: 'opacity:.6',
  31: 'color:#ff7b72',
  32: 'color:#7ee787',
  33: 'color:#e3b341',
  36: 'color:#79c0ff'
}

export interface Shown {
  readonly command: string
  /** Output with its escape sequences. */
  readonly output: string
}

export function terminalPage(panes: readonly Shown[]): string {
  const blocks = panes.map(
    ({ command, output }) => `<pre><b>$</b> ${escaped(command)}\n${painted(lastScreen(output))}</pre>`
  )
  return `<!doctype html><style>
    body { margin: 0; padding: 24px 28px; background: #0d1117; color: #e6edf3; width: 1000px }
    pre { margin: 0 0 28px; font: 14px/1.5 Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere }
    pre:last-child { margin: 0 }
  </style>${blocks.join('')}`
}

/** Returns the output after the last clearing of the screen. */
const lastScreen = (output: string): string =>
  (output.replaceAll('\r', '').split('\u001b[H\u001b[J').at(-1) ?? '').replaceAll(clearedLine, '')

const clearedLine = /[^\n]*\p{Cc}\[2K/gu

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function painted(output: string): string {
  const parts = output.trimEnd().split(/\p{Cc}\[(\d*)m/u)
  let on: string[] = []
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return `<span style="${on.join(';')}">${escaped(part)}</span>`
      const style = styles[part]
      // Any reset ends all styles, because styles are never nested here.
      on = style === undefined ? [] : [...on, style]
      return ''
    })
    .join('')
}
