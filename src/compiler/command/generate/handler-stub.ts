/** Writes a handler that type-checks, boots and answers 501, to be replaced by the real one, and adds it to the object
 * that `createHandlers` returns. */
import type { Operation } from '@contract-first/engine/server'
import ts from 'typescript'
import { fileName, identifier, numberedFile, numberedIdentifier, UniqueNames } from '../../source/names.ts'
import { commentText, keyOf, quoted } from '../../source/values.ts'

/** The part of an operation that its handler is written for. */
export type HandledOperation = Pick<Operation, 'operationId' | 'method' | 'path'>

/** An operation without a handler. */
export interface Missing {
  readonly operation: HandledOperation
  /** Name of the type of its response in generated/types.ts. */
  readonly responseType: string
}

export interface Stub extends Missing {
  /** File name in the folder of the handlers. */
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

export function stubFor({ operation, responseType }: Missing, taken: Taken, passed?: Passed): Stub {
  const { operationId, method, path } = operation
  const name = new UniqueNames(taken.identifiers).take(
    identifier(operationId, 'operation'),
    numberedIdentifier
  )
  const file = new UniqueNames(taken.files).take(fileName(operationId, 'operation'), numberedFile)
  const imported = passed === undefined ? '' : `import type { ${passed.type} } from '${passed.module}'\n`
  const parameter = passed === undefined ? '' : `_${passed.name}: ${passed.type}`
  const text = `/** ${commentText(`${method} ${path}`)} */
import { FailureError } from '@contract-first/engine/errors'
${typesImport(responseType, '../..')}${imported}
/** Answers 501 until it is written. */
export function ${name}(${parameter}): Handlers[${quoted(operationId)}] {
  return async (): Promise<${responseType}> => {
    throw new FailureError('not-implemented')
  }
}
`
  const property = `${keyOf(operationId)}: ${name}(${passed?.name ?? ''})`
  return { operation, responseType, file: `${file}.ts`, name, property, text }
}

/** @param project path from the folder of the handler to that of the project */
export const typesImport = (responseType: string, project: string): string =>
  `import type { ${['Handlers', responseType].sort().join(', ')} } from '${project}/generated/types.ts'\n`

export interface Wiring {
  readonly text: string
  /** operationIds that have a handler. */
  readonly names: readonly string[]
  /** Every identifier in the file, and the files that it imports. */
  readonly taken: Taken
  /** Undefined for parameters of another form. */
  readonly passed: Passed | undefined
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
  return {
    text,
    names: object.properties.flatMap(({ name }) => (name === undefined ? [] : [nameOf(name)])),
    taken: {
      identifiers: new Set(text.match(/[A-Za-z_$][\w$]*/g)),
      files: imports.map(({ module }) => module.replaceAll(/^\.\/|\.ts$/g, ''))
    },
    passed: passedBy(create, imports),
    imports: imports.map(({ node, module }) => ({ module, start: node.getStart(), end: node.end })),
    afterProperties: object.properties.at(-1)?.end ?? object.getStart() + 1
  }
}

function nameOf(name: ts.PropertyName): string {
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

/** Returns the text with the stub imported, in alphabetical order, and assigned to its operation. */
export function wire({ text, names, imports, afterProperties }: Wiring, stub: Stub): string {
  const line = `import { ${stub.name} } from './${stub.file}'`
  const next = imports.find(({ module }) => module.startsWith('./') && module > `./${stub.file}`)
  const last = imports.at(-1)
  const at = next?.start ?? last?.end ?? 0
  const imported = next === undefined && last !== undefined ? `\n${line}` : `${line}\n`
  const added = names.length === 0 ? `\n    ${stub.property}\n  ` : `,\n    ${stub.property}`
  return text.slice(0, at) + imported + text.slice(at, afterProperties) + added + text.slice(afterProperties)
}
