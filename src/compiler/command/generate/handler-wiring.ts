/** Reads and extends the wiring of the handlers: the object that `createHandlers` returns. */
import ts from 'typescript'
import type { Stub, Taken } from './handler-stub.ts'

export interface Wiring {
  readonly text: string
  /** operationIds that have a handler. */
  readonly names: readonly string[]
  /** Every identifier in the file, and the files that it imports. */
  readonly taken: Taken
  /** Import declarations with their offsets in the text. */
  readonly imports: readonly { readonly module: string; readonly start: number; readonly end: number }[]
  /** Offset in the text, after the last property. */
  readonly afterProperties: number
}

/**
 * Parses the file.
 * @returns undefined when its structure was changed by hand
 */
export function readWiring(text: string): Wiring | undefined {
  const file = ts.createSourceFile('handlers.ts', text, ts.ScriptTarget.Latest, true)
  const object = returnedObject(file)
  if (object === undefined || object.properties.some(ts.isSpreadAssignment)) return undefined
  const imports = file.statements.filter(ts.isImportDeclaration).map((node) => ({
    module: node.moduleSpecifier.getText().slice(1, -1),
    start: node.getStart(),
    end: node.end
  }))
  return {
    text,
    names: object.properties.flatMap(({ name }) => (name === undefined ? [] : [nameOf(name)])),
    taken: {
      identifiers: new Set(text.match(/[A-Za-z_$][\w$]*/g)),
      files: imports.map(({ module }) => module.replaceAll(/^\.\/|\.ts$/g, ''))
    },
    imports,
    afterProperties: object.properties.at(-1)?.end ?? object.getStart() + 1
  }
}

function nameOf(name: ts.PropertyName): string {
  const inner = ts.isComputedPropertyName(name) ? name.expression : name
  if (ts.isStringLiteralLike(inner)) return inner.text
  return ts.isIdentifier(name) ? name.text : name.getText()
}

function returnedObject(file: ts.SourceFile): ts.ObjectLiteralExpression | undefined {
  const create = file.statements
    .filter(ts.isFunctionDeclaration)
    .find(({ name }) => name?.text === 'createHandlers')
  const returned = create?.body?.statements.find(ts.isReturnStatement)?.expression
  return returned === undefined ? undefined : literalIn(returned)
}

function literalIn(expression: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(expression)) return expression
  const wrapped =
    ts.isSatisfiesExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  return wrapped ? literalIn(expression.expression) : undefined
}

/** Returns the text with the stub imported, in alphabetical order, and assigned to its operation. */
export function wire({ text, names, imports, afterProperties }: Wiring, stub: Stub): string {
  const line = `import { ${stub.name} } from './${stub.file}'`
  const next = imports.find(({ module }) => module.startsWith('./') && module > `./${stub.file}`)
  const last = imports.at(-1)
  const at = next?.start ?? last?.end ?? 0
  const imported = next === undefined && last !== undefined ? `\n${line}` : `${line}\n`
  const property = `${stub.key}: ${stub.name}()`
  const added = names.length === 0 ? `\n    ${property}\n  ` : `,\n    ${property}`
  return text.slice(0, at) + imported + text.slice(at, afterProperties) + added + text.slice(afterProperties)
}
