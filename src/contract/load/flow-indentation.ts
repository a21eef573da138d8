/**
 * Indents what YAML 1.2 wants deeper than libyaml and js-yaml 4 do: lines of a flow collection or a quoted text, its closing
 * bracket included, must be indented more than the block collection that holds it (YAML 1.2.2, section 8.2.3).
 */
import type { ContractProblem } from '../diagnostics/problem.ts'
import type { Indented } from '../diagnostics/source-file.ts'

const message =
  'this line of a flow collection or quoted text is indented no more than its key: libyaml reads it, YAML 1.2 (section 8.2.3) does not'

/**
 * Returns the text as YAML 1.2 has it, with a warning for each line that was indented; undefined without such a line. The
 * parser decides whether the result is YAML.
 */
export function indentFlow(
  file: string,
  text: string
): (Indented & { readonly problems: readonly ContractProblem[] }) | undefined {
  const least = leastIndentations(text)
  const added = new Map<number, number>()
  const problems: ContractProblem[] = []
  let start = 0
  const lines = text.split('\n').map((line, index) => {
    const indentation = /^ */.exec(line)?.[0].length ?? 0
    const missing = (least.get(start) ?? 0) - indentation
    start += line.length + 1
    // Blank lines have no indentation; a document marker ends the text.
    if (missing <= 0 || line.trim() === '' || /^(---|\.\.\.)(\s|$)/.test(line)) return line
    added.set(index + 1, missing)
    const place = { file, line: index + 1, column: indentation + 1 }
    problems.push({ severity: 'warning', rule: 'syntax', ...place, message })
    return ' '.repeat(missing) + line
  })
  return added.size === 0 ? undefined : { text: lines.join('\n'), added, problems }
}

/** A line without content: blank, a comment, a document marker or a directive. */
const empty = /[ \t]*(?:#.*|%.*|---|\.\.\.)?$/my
const line = /.*\n?/y
const spaces = / */y
/** The sign of an item, and the key of a member: a block collection begins where they do. */
const entry =
  /(?:[-?]|(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|(?:-(?=\S)|[^\s"'[\]{}#&*!|>%@`,-])(?:[^\n:#]|:(?=\S)|(?<=\S)#)*)[ \t]*:)(?:[ \t]+|$)/my
const property = /(?:[&!]\S*|---)(?:[ \t]+|$)/my
const quoted = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*'/sy
const flowToken = new RegExp(`\\s+|#[^\\n]*|${quoted.source}|[[\\]{},:]|[^\\s,[\\]{}]+`, 'sy')
/** The text that may stand behind a flow collection or a quoted text in its line. */
const rest = /[ \t]*(?:[:#].*)?$/my

/** Returns the offset after what the pattern matches; `at` itself if it does not match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Returns the indentation that each further line of a flow collection or quoted text needs, by the offset of the line. */
function leastIndentations(text: string): Map<number, number> {
  const least = new Map<number, number>()
  /** Column of the innermost block collection. */
  let holder = -1
  for (let start = 0, next = 0; start < text.length; start = next) {
    next = after(line, text, start)
    if (isMatch(empty, text, start)) continue
    let at = after(spaces, text, start)
    for (let end = -1; end !== at; ) {
      if (end > at) at = end
      end = after(entry, text, at)
      if (end > at) holder = at - start
      else end = after(property, text, at)
    }
    const end = endOfFlow(text, at)
    for (; next < end; next = after(line, text, next)) least.set(next, holder + 1)
    // Further lines of a plain text or block scalar are indented more; what stands in them is text.
    const isText = end === at && !isMatch(rest, text, at)
    while (isText && isWithin(text, next, holder)) next = after(line, text, next)
  }
  return least
}

function isMatch(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Returns the offset after a flow collection or quoted text; `at` itself for anything else, and for one that is not closed. */
function endOfFlow(text: string, at: number): number {
  let end = after(quoted, text, at)
  let depth = 0
  if (end === at)
    for (; end < text.length; end = after(flowToken, text, end)) {
      const sign = text[end]
      if (sign === '[' || sign === '{') depth++
      else if (sign === ']' || sign === '}') depth--
      if (depth > 0) continue
      if (end > at) end++
      break
    }
  return depth === 0 && isMatch(rest, text, end) ? end : at
}

/** Returns true for a line that is blank or indented more than a column. */
function isWithin(text: string, start: number, column: number): boolean {
  if (start >= text.length) return false
  const content = after(spaces, text, start)
  return content - start > column || isMatch(empty, text, start)
}
