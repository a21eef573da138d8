/**
 * Prepares the list of problems: sorted, by cause, without those that follow from others, and without the echoes:
 * warnings of the linter that repeat a problem which the compiler reports at the same place, with its consequence.
 */
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

/**
 * Orders texts by their UTF-16 code units, for `sort`: the same under every locale, unlike `localeCompare`.
 * @returns a negative number, zero or a positive number
 */
export function byCodeUnits(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}

/** Returns a problem for each cause, at its first place; the message counts the others. */
export function byCause(problems: readonly ContractProblem[]): ContractProblem[] {
  const causes = Map.groupBy(problems, ({ severity, message }) => `${severity} ${message}`)
  return [...causes.values()].flatMap((places) =>
    places.slice(0, 1).map((first) => ({ ...first, message: `${first.message}${count(places.length - 1)}` }))
  )
}

const count = (others: number): string =>
  others === 0 ? '' : ` (and at ${others} other ${others === 1 ? 'place' : 'places'})`

const followsFromErrors =
  / has no operationId: | declares no response: | is required by no operation: | (is|are) (never|not) (used|referenced)/

/** Leaves out warnings that may be consequences of an error elsewhere, while there is an error. */
export function withoutConsequences(problems: readonly ContractProblem[]): ContractProblem[] {
  return problems.filter(({ severity, message }) => severity === 'error' || !followsFromErrors.test(message))
}
