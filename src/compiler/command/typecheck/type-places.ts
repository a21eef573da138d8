/** The expressions behind types: returned values, properties and items of literals, and the operation of a handler. */
import ts from 'typescript'

/** Removes parentheses, `as`, `satisfies` and `await`. */
export function bare(node: ts.Node): ts.Node {
  const wraps =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAwaitExpression(node)
  return wraps ? bare(node.expression) : node
}

/** Returns the expressions that a function returns; none for another node. */
export function returnedBy(node: ts.Node | undefined): ts.Expression[] {
  const inner = node && bare(node)
  if (inner === undefined || !('body' in inner)) return []
  const body = inner.body as ts.ConciseBody
  return ts.isBlock(body) ? returnsIn(body) : [body]
}

function returnsIn(node: ts.Node): ts.Expression[] {
  if (ts.isFunctionLike(node)) return []
  if (ts.isReturnStatement(node)) return node.expression === undefined ? [] : [node.expression]
  const found: ts.Expression[] = []
  ts.forEachChild(node, (child) => void found.push(...returnsIn(child)))
  return found
}

/** Returns the value that a literal gives to the property. */
export function literalOf(property: ts.Symbol): ts.Node | undefined {
  const declaration = property.declarations?.[0]
  if (declaration === undefined) return undefined
  if (ts.isPropertyAssignment(declaration)) return declaration.initializer
  return ts.isShorthandPropertyAssignment(declaration) || ts.isMethodDeclaration(declaration)
    ? declaration
    : undefined
}

/** Returns the items of a list that is written out; none for another node. */
export function itemsOf(node: ts.Node | undefined): readonly ts.Expression[] {
  const inner = node && bare(node)
  return inner !== undefined && ts.isArrayLiteralExpression(inner) ? inner.elements : []
}

/** Returns the name of the only property of a literal that is unknown. */
export function strayIn(
  { properties }: ts.ObjectLiteralExpression,
  isKnown: (name: string) => boolean
): ts.PropertyName | undefined {
  const names = properties.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const [stray, ...others] = names.filter((name) => !isKnown(nameText(name)))
  return others.length === 0 ? stray : undefined
}

const nameText = (name: ts.PropertyName): string =>
  ts.isStringLiteralLike(name) ? name.text : name.getText()

/** Returns the path of a property name from the outermost literal around it, and that literal. */
export function pathTo(node: ts.Node): { readonly path: (string | number)[]; readonly literal: ts.Node } {
  const path: (string | number)[] = []
  let literal = node
  for (let inner = node; ; inner = inner.parent) {
    const { parent } = inner
    if (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) {
      if (inner === parent.name || !ts.isPropertyName(inner)) path.unshift(nameText(parent.name))
    } else if (ts.isArrayLiteralExpression(parent)) {
      path.unshift(parent.elements.indexOf(inner as ts.Expression))
    } else if (!ts.isObjectLiteralExpression(parent) && bare(parent) === parent) return { path, literal }
    literal = parent
  }
}

/** Returns the innermost node of the file that has all of the range. */
export function nodeAt(file: ts.SourceFile, start: number, length: number): ts.Node {
  let found: ts.Node = file
  const visit = (node: ts.Node): void => {
    if (node.getStart(file) > start || node.end < start + length) return
    found = node
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}
