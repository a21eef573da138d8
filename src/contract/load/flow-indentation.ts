/**
 * Indents what YAML 1.2 wants deeper than libyaml and js-yaml 4 do: lines of a flow collection or a quoted text, its closing
 * bracket included, must be indented more than the block collection that holds it (YAML 1.2.2, section 8.2.3).
 */
import type { ContractProblem } from '../diagnostics/problem.ts'
import {
  type AstNode,
  aliasKind,
  isNode,
  lineAndColumn,
  type Source,
  syntaxTree
} from '../diagnostics/source-position.ts'

interface Indented {
  /** The text as YAML 1.2 has it; its value is the same. */
  readonly text: string
  /** A warning for each line that was indented. */
  readonly problems: readonly ContractProblem[]
}

const message =
  'this line of a flow collection or quoted text is indented no more than its key: libyaml reads it, YAML 1.2 (section 8.2.3) does not'

/** Matches what yaml-ast-parser calls an error and libyaml reads: tabs, and a text of several lines in a flow collection. */
const harmless = /^(Using tabs|missed comma)/

/** Returns undefined for a text without such a line, and for one with other mistakes. */
export function indentFlow(source: Source): Indented | undefined {
  const root = syntaxTree(source)
  const lines = source.body.split('\n')
  const missing = new Map<number, number>()
  if (root.errors?.every(({ reason }) => harmless.test(reason))) visit(root, -1)
  if (missing.size === 0) return undefined
  return {
    text: lines.map((line, index) => ' '.repeat(missing.get(index) ?? 0) + line).join('\n'),
    problems: [...missing.keys()].map((index): ContractProblem => {
      const place = { line: index + 1, column: indentationOf(lines[index]) + 1 }
      return { severity: 'warning', rule: 'syntax', file: source.absoluteRef, ...place, message }
    })
  }

  /** @param indentation columns before the block collection that holds the node; -1 without one */
  function visit(node: AstNode, indentation: number): void {
    if (/[[{"']/.test(source.body[node.startPosition] ?? '')) indentLines(node, indentation + 1)
    else {
      const { column } = lineAndColumn(source, node.startPosition)
      for (const child of childrenOf(node)) visit(child, isCollection(node) ? column - 1 : indentation)
    }
  }

  function indentLines({ startPosition, endPosition = startPosition }: AstNode, least: number): void {
    const [first, last] = [startPosition, endPosition - 1].map((at) => lineAndColumn(source, at).line)
    for (let index = Number(first); index < Number(last); index++) {
      const line = lines[index] ?? ''
      const count = least - indentationOf(line)
      // Blank lines have no indentation; a document marker ends the text.
      if (count > 0 && line.trim() !== '' && !/^(---|\.\.\.)(\s|$)/.test(line)) missing.set(index, count)
    }
  }
}

const isCollection = ({ mappings, items }: AstNode): boolean => mappings !== undefined || items !== undefined

const childrenOf = ({ key, value, mappings = [], items = [], kind }: AstNode): AstNode[] =>
  kind === aliasKind ? [] : [...mappings, ...items, key, value].filter(isNode)

const indentationOf = (line = ''): number => /^ */.exec(line)?.[0].length ?? 0
