/**
 * Reports operations without a handler, and handlers without an operation. Writes handlers that type-check, boot and
 * answer 501, to be replaced by the real ones, and adds them to the object that `createHandlers` returns.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { type Paint, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { Operation } from '@contract-first/engine/server'
import type {
  Expression,
  FunctionDeclaration,
  ImportDeclaration,
  Node,
  ObjectLiteralExpression,
  PropertyName,
  SourceFile
} from 'typescript'
import { responseTypeNames } from '../../compile/types/handler-types.ts'
import { ts } from '../../source/typescript.ts'
import {
  commentText,
  fileName,
  identifier,
  keyOf,
  numberedFile,
  numberedIdentifier,
  quoted,
  UniqueNames
} from '../../source/values.ts'
import { filesIn } from './file-watcher.ts'

/** The part of an operation that its handler is written for. */
type HandledOperation = Pick<Operation, 'operationId' | 'method' | 'path' | 'tags'>

/** An operation without a handler. */
interface Missing {
  readonly operation: HandledOperation
  /** Name of the type of its response in generated/types.ts. */
  readonly responseType: string
}

export interface Stub extends Missing {
  /** File, relative to the folder of the handlers. */
  readonly file: string
  /** Name of the function that makes the handler. */
  readonly name: string
  /** Its member of the object that `createHandlers` returns. */
  readonly property: string
  readonly text: string
}

interface Taken {
  readonly identifiers: Iterable<string>
  /** Files of other handlers, without `.ts`. */
  readonly files: Iterable<string>
}

/** Parameter of `createHandlers` that each handler gets, such as the store. */
interface Passed {
  readonly name: string
  /** Name of its type, and the file that exports it. */
  readonly type: string
  readonly module: string
}

/** Returns a stub for each operation, with a name and a file of its own. */
export function stubsFor(
  missing: readonly Missing[],
  { taken, passed, isFlat }: Pick<Wiring, 'taken' | 'passed' | 'isFlat'>
): Stub[] {
  const identifiers = new UniqueNames(taken.identifiers)
  const files = new UniqueNames(taken.files)
  return missing.map(({ operation, responseType }) => {
    const { operationId } = operation
    const name = identifiers.take(identifier(operationId, 'operation'), numberedIdentifier)
    const folder = isFlat ? '' : `${folderOf(operation)}/`
    const file = files.take(`${folder}${fileName(operationId, 'operation')}`, numberedFile)
    const property = `${keyOf(operationId)}: ${name}(${passed?.name ?? ''})`
    const unplaced = { operation, responseType, file: `${file}.ts`, name, property }
    return { ...unplaced, text: handlerText(unplaced, passed) }
  })
}

/** Names the folder after the tag of the operation, otherwise after the first segment of its path. */
function folderOf({ path, tags = [] }: HandledOperation): string {
  const segment = path.split('/').find((part) => /^[\w-]+$/.test(part))
  return fileName(tags[0] ?? segment ?? '', 'operations')
}

/** @param answer source code of an example that the handler answers; without it, it answers 501 */
export function handlerText(stub: Omit<Stub, 'text'>, passed?: Passed, answer?: string): string {
  const { operation, responseType, file, name } = stub
  const isInFolder = file.includes('/')
  const error = answer === undefined ? "import { FailureError } from '@contract-first/engine/errors'\n" : ''
  const types = ['Handlers', responseType].sort().join(', ')
  const module = isInFolder ? passed?.module.replace(/^\.\/|^(?=\.\.\/)/, '../') : passed?.module
  const imported = passed === undefined ? '' : `import type { ${passed.type} } from '${module}'\n`
  const parameter = passed === undefined ? '' : `_${passed.name.replace(/^_/, '')}: ${passed.type}`
  const body = answer === undefined ? "{\n    throw new FailureError('not-implemented')\n  }" : `(${answer})`
  return `${stubComment(operation)}
${error}import type { ${types} } from '${isInFolder ? '../' : ''}../../generated/types.ts'
${imported}
/** Answers ${answer === undefined ? '501' : 'an example of the contract'} until it is written. */
export function ${name}(${parameter}): Handlers[${quoted(operation.operationId)}] {
  return async (): Promise<${responseType}> => ${body}
}
`
}

/** Returns the first line of a stub, by which its operation is found again under another name. */
const stubComment = ({ method, path }: HandledOperation): string =>
  `/** ${commentText(`${method} ${path}`)} */`

export interface Wiring {
  readonly text: string
  /** operationIds that have a handler. */
  readonly names: readonly string[]
  /** Every identifier in the file, and the files that it imports. */
  readonly taken: Taken
  /** Undefined for parameters of another form. */
  readonly passed: Passed | undefined
  /** True where the handlers lie beside it, otherwise each lies in a folder. */
  readonly isFlat: boolean
  /** Import declarations with their offsets in the text. */
  readonly imports: readonly { readonly module: string; readonly start: number; readonly end: number }[]
  readonly afterProperties: number
}

/**
 * Parses the file.
 * @returns undefined when its structure was changed by hand
 */
export function readWiring(text: string): Wiring | undefined {
  const file = ts.createSourceFile('handlers.ts', text, ts.ScriptTarget.Latest, true)
  const create = createHandlersIn(file)
  if (create === undefined) return undefined
  const object = returnedObject(create)
  if (object === undefined || object.properties.some(ts.isSpreadAssignment)) return undefined
  const imports = file.statements
    .filter(ts.isImportDeclaration)
    .map((node) => ({ node, module: node.moduleSpecifier.getText().slice(1, -1) }))
  const names = object.properties.flatMap(({ name }) => (name === undefined ? [] : [propertyName(name)]))
  return {
    text,
    names,
    taken: {
      identifiers: identifiersIn(file),
      files: imports.map(({ module }) => module.replaceAll(/^\.\/|\.ts$/g, ''))
    },
    passed: passedBy(create, imports),
    isFlat: names.length > 0 && !imports.some(({ module }) => /^\.\/.+\//.test(module)),
    imports: imports.map(({ node, module }) => ({ module, start: node.getStart(), end: node.end })),
    afterProperties: object.properties.at(-1)?.end ?? object.getStart() + 1
  }
}

function identifiersIn(node: Node): string[] {
  const found = ts.isIdentifier(node) ? [node.text] : []
  ts.forEachChild(node, (child) => {
    found.push(...identifiersIn(child))
  })
  return found
}

function propertyName(name: PropertyName): string {
  const inner = ts.isComputedPropertyName(name) ? name.expression : name
  if (ts.isStringLiteralLike(inner)) return inner.text
  return ts.isIdentifier(name) ? name.text : name.getText()
}

const createHandlersIn = (file: SourceFile): FunctionDeclaration | undefined =>
  file.statements.filter(ts.isFunctionDeclaration).find(({ name }) => name?.text === 'createHandlers')

function returnedObject(create: FunctionDeclaration): ObjectLiteralExpression | undefined {
  const returned = create.body?.statements.find(ts.isReturnStatement)?.expression
  return returned && literalIn(returned)
}

function literalIn(expression: Expression): ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(expression)) return expression
  const wrapped =
    ts.isSatisfiesExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  return wrapped ? literalIn(expression.expression) : undefined
}

interface Import {
  readonly node: ImportDeclaration
  readonly module: string
}

/** Returns the only parameter, where its type is imported by name. */
function passedBy(create: FunctionDeclaration, imports: readonly Import[]): Passed | undefined {
  const [parameter, ...others] = create.parameters
  if (parameter === undefined || others.length > 0 || !ts.isIdentifier(parameter.name)) return undefined
  const type = parameter.type?.getText() ?? ''
  const module = imports.find(({ node }) => namesIn(node).includes(type))?.module
  return module === undefined ? undefined : { name: parameter.name.text, type, module }
}

function namesIn({ importClause }: ImportDeclaration): readonly string[] {
  const named = importClause?.namedBindings
  return named !== undefined && ts.isNamedImports(named) ? named.elements.map(({ name }) => name.text) : []
}

/** Returns the text with the stubs imported, in alphabetical order, and assigned to their operations. */
export function wire({ text, names, imports, afterProperties }: Wiring, stubs: readonly Stub[]): string {
  const last = imports.at(-1)
  const imported = stubs
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ name, file }) => {
      const line = `import { ${name} } from './${file}'`
      const next = imports.find(({ module }) => module.startsWith('./') && module > `./${file}`)
      if (next !== undefined || last === undefined) return { at: next?.start ?? 0, added: `${line}\n` }
      return { at: last.end, added: `\n${line}` }
    })
  const properties = stubs.map(({ property }) => `\n    ${property}`).join(',')
  const added = names.length === 0 ? `${properties}\n  ` : `,${properties}`
  return [...imported, { at: afterProperties, added }]
    .toSorted((a, b) => a.at - b.at)
    .reverse()
    .reduce((whole, { at, added }) => whole.slice(0, at) + added + whole.slice(at), text)
}

/** Writes a stub for each operation, and adds it to the wiring; returns a line for each. */
function writeStubs(missing: readonly Missing[], wiring: Wiring, folder: string): string[] {
  const wiringFile = resolve(folder, 'handlers.ts')
  const stubs = freshStubs(missing, wiring, folder)
  for (const { file, text } of stubs) {
    mkdirSync(dirname(resolve(folder, file)), { recursive: true })
    writeFileSync(resolve(folder, file), text, { flag: 'wx' })
  }
  if (stubs.length > 0) writeFileSync(wiringFile, wire(wiring, stubs))
  const [shownWiring, shownFolder] = [relative('.', wiringFile), relative('.', folder)]
  return stubs.map(
    ({ file }) =>
      `written: ${shownFolder}/${file}, and its line in ${shownWiring}; it answers 501 until you write it`
  )
}

/** Returns stubs whose files and functions have names of their own. */
function freshStubs(missing: readonly Missing[], wiring: Wiring, folder: string): Stub[] {
  const present = filesIn(folder).map((path) => relative(folder, path).replace(/\.ts$/, ''))
  const { identifiers, files } = wiring.taken
  return stubsFor(missing, { ...wiring, taken: { identifiers, files: [...files, ...present] } })
}

interface HandlerFile {
  readonly path: string
  readonly text: string
}

/** Finds the files of handlers, also those that `handlers.ts` does not name. */
function handlerFiles(folder: string): (operationId: string) => HandlerFile | undefined {
  const files = filesIn(folder).filter((path) => path.endsWith('.ts') && basename(path) !== 'handlers.ts')
  const typed = files.map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path, text, ids: handledIn(text) }
  })
  return (operationId) => {
    const name = `${fileName(operationId, 'operation')}.ts`
    // Compared without case, because some file systems do not distinguish it.
    const isNamed = (path: string) => basename(path).toLowerCase() === name
    const found = typed.find(({ ids }) => ids.includes(operationId))
    return found ?? typed.find(({ path, ids }) => ids.length === 0 && isNamed(path))
  }
}

/** Returns the operationIds of functions and values of the type `Handlers['…']`. */
const handledIn = (text: string): string[] =>
  [...text.matchAll(/(?::|\bsatisfies)\s*Handlers\[(['"])(.+?)\1\]/g)].map(([, , id = '']) => id)

interface HandlerReportOptions {
  readonly paint: Paint
  /** True to write the stubs instead of printing the first. */
  readonly write?: boolean
  /** Folder of the handlers and of `handlers.ts`, which wires them. */
  readonly folder: string
}

/** Returns lines; an empty list when operations and handlers agree, or when `handlers.ts` was restructured by hand. */
export function handlerReport(
  operations: readonly HandledOperation[],
  options: HandlerReportOptions
): string[] {
  const { paint, write = false, folder } = options
  const wiringFile = resolve(folder, 'handlers.ts')
  const wiring = existsSync(wiringFile) ? readWiring(readFileSync(wiringFile, 'utf8')) : undefined
  if (wiring === undefined) return []
  const ids = operations.map(({ operationId }) => operationId)
  const fileOf = handlerFiles(folder)
  const unlisted = operations
    .filter(({ operationId }) => !wiring.names.includes(operationId))
    .map((operation) => ({ operation, file: fileOf(operation.operationId)?.path }))
  const types = responseTypeNames(ids)
  const unhandled = unlisted
    .filter(({ file }) => file === undefined)
    .map(({ operation }) => ({ operation, responseType: types.get(operation.operationId) ?? '' }))
  const surplus = wiring.names
    .filter((name) => !ids.includes(name))
    .map((name) => ({ name, file: fileOf(name) }))
  const renames = renamesIn(surplus, unhandled)
  const missing = unhandled.filter(({ operation }) => !renames.values().some((other) => other === operation))
  return [
    ...surplus.map(({ name, file }) =>
      printable(surplusText(name, [wiringFile, ...(file ? [file.path] : [])].map(shown), renames.get(name)))
    ),
    ...unlisted.flatMap(({ operation: { operationId }, file }) =>
      file === undefined ? [] : [paint('yellow', unlistedText(operationId, shown(file), shown(wiringFile)))]
    ),
    ...(write ? writeStubs(missing, wiring, folder) : printStubs(missing, wiring, { paint, folder }))
  ]
}

interface Surplus {
  readonly name: string
  readonly file: HandlerFile | undefined
}

/**
 * Returns the operations that handlers are for under an earlier name: the one that the comment of a stub names, or the
 * only one, of the only such handler.
 */
function renamesIn(
  surplus: readonly Surplus[],
  missing: readonly Missing[]
): ReadonlyMap<string, HandledOperation> {
  const isLone = surplus.length === 1 && missing.length === 1
  const pairs = surplus.flatMap(({ name, file }) => {
    const found = missing.find(({ operation }) => isLone || file?.text.startsWith(stubComment(operation)))
    return found === undefined ? [] : [[name, found.operation] as const]
  })
  return new Map(pairs)
}

function surplusText(name: string, files: readonly string[], operation: HandledOperation | undefined) {
  if (operation === undefined) return `handler ${name} is for no operation: remove it from ${files[0]}`
  const { operationId, method, path } = operation
  return `rename handler ${name} to ${operationId} (${method} ${path}) in ${files.join(' and ')}`
}

const unlistedText = (operationId: string, file: string, wiring: string): string =>
  `${file} is there and was left as it is; if it is the handler of ${printable(operationId)}, name it in ${wiring}`

const shown = (path: string): string => printable(relative('.', path))

type Target = Pick<HandlerReportOptions, 'paint' | 'folder'>

function printStubs([first, ...others]: readonly Missing[], wiring: Wiring, target: Target): string[] {
  const [stub] = first === undefined ? [] : freshStubs([first], wiring, target.folder)
  if (stub === undefined) return []
  const unprinted = shortened(others, 9, {
    item: ({ operation: { operationId } }) => printable(`operation ${operationId} has no handler`),
    rest: (count) => `… and ${count} more`
  })
  return [...printStub(stub, target), ...unprinted, 'npm run generate -- --stubs writes this for you']
}

function printStub({ operation, file, text, property }: Stub, { paint, folder }: Target): string[] {
  const { operationId, method, path } = operation
  const code = text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
  return [
    paint('yellow', printable(`operation ${operationId} has no handler (${method} ${path})`)),
    `  it goes into ${shown(resolve(folder, file))}:`,
    '',
    ...code.map((line) => paint('dim', printable(line))),
    '',
    `  and into ${shown(resolve(folder, 'handlers.ts'))}:`,
    '',
    paint('dim', printable(`    ${property}`)),
    ''
  ]
}
