/**
 * Sorts problems, without the echoes: warnings of the linter that repeat a problem which the compiler reports at the same
 * place, with its consequence.
 */
import { byCodeUnits } from './code-units.ts'
import { type ContractProblem, formatProblem } from './problem.ts'

/** Sorts by file, line and column, and drops duplicates and echoes. */
export function sortProblems(problems: readonly ContractProblem[]): ContractProblem[] {
  const unique = new Map(
    oneSentencePerExample(withoutEchoes(problems)).map((problem) => [formatProblem(problem, '/'), problem])
  )
  return [...unique.values()].sort(
    (a, b) => byCodeUnits(a.file, b.file) || a.line - b.line || a.column - b.column
  )
}

/** Matches messages of the linter about a misplaced member or a wrong value. */
const doubted =
  /^(?:Property|The field) `(?<stray>[^`]+)` is not|^`(?<value>[^`]+)` can be one of|^Expected type .* at `(?<typed>[^`]+)`$/s

/** Returns the problems without the echoes. */
function withoutEchoes(problems: readonly ContractProblem[]): ContractProblem[] {
  const byLine = Map.groupBy(problems, lineOf)
  return problems.filter((problem) => {
    const { stray, value, typed } = doubted.exec(problem.message)?.groups ?? {}
    const member = stray ?? value ?? typed
    if (problem.severity === 'error' || member === undefined) return true
    const others = byLine.get(lineOf(problem)) ?? []
    return !others.some((other) => !doubted.test(other.message) && names(other.message, member))
  })
}

const lineOf = ({ file, line }: ContractProblem): string => `${file}:${line}`

const names = (message: string, member: string): boolean => message.split(/[^\w$-]+/).includes(member)

const wrongExample = 'Example value must conform to the schema: '

/** Joins the problems that the linter reports for one example, one for each keyword, into one sentence. */
function oneSentencePerExample(problems: readonly ContractProblem[]): ContractProblem[] {
  const isExample = ({ message }: ContractProblem) => message.startsWith(wrongExample)
  const byLine = Map.groupBy(problems.filter(isExample), lineOf)
  return problems.flatMap((problem) => {
    if (!isExample(problem)) return [problem]
    const [first, ...others] = byLine.get(lineOf(problem)) ?? []
    if (first !== problem) return []
    const reasons = others.map(({ message }) => message.slice(wrongExample.length))
    return [{ ...problem, message: [problem.message.replace(/\.$/, ''), ...reasons].join('; ') }]
  })
}
