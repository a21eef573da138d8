/** Turns an error of TypeScript into a problem that names operation, status, path of the property, and both types. */
import { sep } from 'node:path'
import ts from 'typescript'
import type { ContractProblem } from '../../compiler.ts'
import { handlerAround, memberOf, operationOf, wrongPairAround } from './type-context.ts'
import { type Mismatch, type Path, TypeComparison } from './type-mismatch.ts'
import { nodeAt, pathTo } from './type-places.ts'

/** Codes of TypeScript for a value whose type is not the expected one. */
const assignmentCodes = new Set([1360, 2322, 2345, 2375, 2379, 2559, 2719, 2739, 2740, 2741])
/** Codes for a property of a literal that is not declared. */
const excessCodes = new Set([2353, 2561])
const awaitCode = 1308

interface Sources {
  readonly checker: ts.TypeChecker
  /** Folder of the project: a place outside of it is not shown. */
  readonly folder: string
}

/** Parts of the message: `createOrder`, `201`, `body.tags[0].name`, then a sentence. */
interface Explained {
  readonly operation?: string | undefined
  readonly status?: string | undefined
  readonly path?: Path
  readonly sentence: string
  readonly node?: ts.Node | undefined
}

export function typeProblem(diagnostic: ts.Diagnostic, sources: Sources): ContractProblem {
  const { file, start = 0, length = 0 } = diagnostic
  if (file === undefined) {
    const config = { file: `${sources.folder}/tsconfig.json`, line: 1, column: 1 }
    return { severity: 'error', ...config, message: innermost(diagnostic) }
  }
  const explained = explain(diagnostic, nodeAt(file, start, length), sources.checker)
  const { operation, status, path = [], sentence } = explained
  const parts = [operation, status, path.length === 0 ? undefined : pathText(path)]
  const subject = parts.filter((part) => part !== undefined).join(', ')
  const message = subject === '' ? sentence : `${subject}: ${sentence}`
  return { severity: 'error', ...placeOf(explained.node, { file, start }, sources.folder), message }
}

function explain(diagnostic: ts.Diagnostic, node: ts.Node, checker: ts.TypeChecker): Explained {
  const operation = handlerAround(checker, node)
  const { code } = diagnostic
  if (code === awaitCode) return { operation, sentence: 'the function of an await needs "async"' }
  if (excessCodes.has(code)) return ofExcess(diagnostic, node, { checker, operation })
  const pair = assignmentCodes.has(code) ? wrongPairAround(checker, node) : undefined
  const mismatch = pair && new TypeComparison(checker).find(pair)
  if (pair === undefined || mismatch === undefined) return { operation, sentence: innermost(diagnostic) }
  if (operation !== undefined) {
    const isAboutStatus = mismatch.path[0] === 'status'
    const status = mismatch.root && !isAboutStatus ? statusIn(checker, mismatch.root) : undefined
    return { ...mismatch, operation, status }
  }
  return { ...mismatch, ...ofHandlers(checker, pair.expected, mismatch) }
}

/** Returns the status of a response. */
function statusIn(checker: ts.TypeChecker, response: ts.Type): string | undefined {
  const status = memberOf(checker, response, 'status')
  return status?.isNumberLiteral() ? String(status.value) : undefined
}

/** Names the operation of a member of `Handlers`. */
function ofHandlers(
  checker: ts.TypeChecker,
  expected: ts.Type,
  { path, sentence }: Mismatch
): Partial<Explained> {
  const [name, ...rest] = path
  const handler = typeof name === 'string' ? memberOf(checker, expected, name) : undefined
  const operation = handler && operationOf(checker, handler)
  if (operation === undefined) return {}
  const isMissing = rest.length === 0 && sentence.startsWith('missing')
  return { operation, path: rest, sentence: isMissing ? 'it has no handler' : sentence }
}

interface Context {
  readonly checker: ts.TypeChecker
  readonly operation: string | undefined
}

function ofExcess(diagnostic: ts.Diagnostic, node: ts.Node, { checker, operation }: Context): Explained {
  const { path, literal } = pathTo(node)
  const meant = /Did you mean to write '(.+)'/.exec(innermost(diagnostic))?.[1]
  return {
    operation,
    status: statusIn(checker, checker.getTypeAtLocation(literal)),
    path: path[0] === operation ? path.slice(1) : path,
    sentence: meant === undefined ? 'not declared' : `not declared; did you mean ${meant}?`,
    node
  }
}

/** Returns `body.tags[0]["first-name"]`. */
function pathText(path: Path): string {
  const parts = path.map((part = '') => {
    if (typeof part === 'number' || part === '') return `[${part}]`
    return /^[\w$]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`
  })
  return parts.join('').replace(/^\./, '')
}

/** Returns the explanation that is indented most: it names the cause. */
function innermost({ messageText, code }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n')
  const depth = (line: string) => line.length - line.trimStart().length
  const deepest = text
    .split('\n')
    .toSorted((a, b) => depth(a) - depth(b))
    .at(-1)
  return `${String(deepest).trim()} (TS${code})`
}

function placeOf(
  node: ts.Node | undefined,
  { file, start }: { readonly file: ts.SourceFile; readonly start: number },
  folder: string
) {
  const source = node?.getSourceFile()
  const isOwn = source?.fileName.startsWith(folder + sep) && !source.fileName.includes('/node_modules/')
  const [shown, position] = node && source && isOwn ? [source, node.getStart()] : [file, start]
  const { line, character } = shown.getLineAndCharacterOfPosition(position)
  return { file: shown.fileName, line: line + 1, column: character + 1 }
}
