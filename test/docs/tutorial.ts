/** Reads the fenced code blocks of a tutorial in Markdown as steps, in order. */

export type Step =
  | { readonly kind: 'edit'; readonly file: string; readonly before: string; readonly after: string }
  /** A whole file; its first line names it (`// src/x.ts`), otherwise the sentence before the block. */
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly output: string }
  /** Expected output of `npm run dev`. */
  | { readonly kind: 'shown'; readonly text: string }

export function stepsOf(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return blocks.flatMap((block) => {
    const [, language, text = ''] = block
    if (language === 'diff') return [edit(text)]
    if (language === 'console') return commands(text)
    if (language === 'text') return [{ kind: 'shown', text }]
    if (language === 'ts' || language === 'js')
      return [{ kind: 'file', file: nameIn(text) ?? nameBefore(markdown, block.index), text }]
    if (language === 'yaml')
      return [
        { kind: 'file', file: nameIn(text) ?? nameBefore(markdown, block.index, /`([\w-]+\.yaml)`/g), text }
      ]
    if (language === 'nginx') return [{ kind: 'file', file: 'nginx.conf', text }]
    if (language === 'sh') return []
    throw new Error(`a code block in an unknown language: ${language}`)
  })
}

/** Parses `--- file` and its lines: kept (a space before the text), removed (`-`) and added (`+`). */
function edit(text: string): Step {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const linesWith = (marks: string) =>
    lines.filter((line) => marks.includes(line[0] ?? ' ')).map((line) => `${line.slice(1)}\n`)
  return {
    kind: 'edit',
    file: head.replace('--- ', ''),
    before: linesWith(' -').join(''),
    after: linesWith(' +').join('')
  }
}

function commands(text: string): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n')
      return { kind: 'command', command, output: output.join('\n') }
    })
}

/** Returns the file that the first line of a block names: `// src/x.ts` or `# x.yaml`. */
const nameIn = (text: string): string | undefined => /^(?:\/\/|#) ([\w./-]+\.\w+)\n/.exec(text)?.[1]

const sourceName = /`((?:src|test|changes)\/[\w./-]+)`/g

function nameBefore(markdown: string, index: number, pattern = sourceName): string {
  const name = [...markdown.slice(0, index).matchAll(pattern)].at(-1)?.[1]
  if (name === undefined) throw new Error('no file is named before the block')
  return name
}

/** Returns a pattern for the output: every time and duration matches, and `…` is any text. */
export function patternOf(text: string): RegExp {
  const lines = text.trim().split('\n')
  const escaped = lines.map((line) =>
    line
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll(/\d+(\\\.\d+)? (?=m?s\b)/g, '[\\d.]+ ')
      .replaceAll(/\d\d:\d\d:\d\d/g, '\\d\\d:\\d\\d:\\d\\d')
      .replaceAll('…', '[\\s\\S]*?')
  )
  return new RegExp(escaped.join('\\n'))
}
