/**
 * Writes handlers that type-check, boot and answer 501, to be replaced by the real ones, and adds them to the object that
 * `createHandlers` returns.
 */
import type { Operation } from '@contract-first/engine/server'
import ts from 'typescript'
import { fileName, identifier, numberedFile, numberedIdentifier, UniqueNames } from '../../source/names.ts'
import { commentText, keyOf, quoted } from '../../source/values.ts'

/** The part of an operation that its handler is written for. */
export type HandledOperation = Pick<Operation, 'operationId' | 'method' | 'path' | 'tags'>

/** An operation without a handler. */
export interface Missing {
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
export const stubComment = ({ method, path }: HandledOperation): string =>
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

function identifiersIn(node: ts.Node): string[] {
  const found = ts.isIdentifier(node) ? [node.text] : []
  ts.forEachChild(node, (child) => {
    found.push(...identifiersIn(child))
  })
  return found
}

function propertyName(name: ts.PropertyName): string {
  const inner = ts.isComputedPropertyName(name) ? name.expression : name
  if (ts.isStringLiteralLike(inner)) return inner.text
  return ts.isIdentifier(name) ? name.text : name.getText()
}

const createHandlersIn = (file: ts.SourceFile): ts.FunctionDeclaration | undefined =>
  file.statements.filter(ts.isFunctionDeclaration).find(({ name }) => name?.text === 'createHandlers')

function returnedObject(create: ts.FunctionDeclaration): ts.ObjectLiteralExpression | undefined {
  const returned = create.body?.statements.find(ts.isReturnStatement)?.expression
  return returned && literalIn(returned)
}

function literalIn(expression: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(expression)) return expression
  const wrapped =
    ts.isSatisfiesExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  return wrapped ? literalIn(expression.expression) : undefined
}

interface Import {
  readonly node: ts.ImportDeclaration
  readonly module: string
}

/** Returns the only parameter, where its type is imported by name. */
function passedBy(create: ts.FunctionDeclaration, imports: readonly Import[]): Passed | undefined {
  const [parameter, ...others] = create.parameters
  if (parameter === undefined || others.length > 0 || !ts.isIdentifier(parameter.name)) return undefined
  const type = parameter.type?.getText() ?? ''
  const module = imports.find(({ node }) => namesIn(node).includes(type))?.module
  return module === undefined ? undefined : { name: parameter.name.text, type, module }
}

function namesIn({ importClause }: ts.ImportDeclaration): readonly string[] {
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
