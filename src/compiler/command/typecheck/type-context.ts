/** The expected types around a node, and the operation whose handler it is in. */
import ts from 'typescript'

/** Given and expected type of an expression. */
export interface TypePair {
  readonly given: ts.Type
  readonly expected: ts.Type
  readonly node: ts.Node
}

/** Returns the operationId of a handler's type: generated requests have it as `operation.operationId`. */
export function operationOf(checker: ts.TypeChecker, type: ts.Type): string | undefined {
  const request = checker.getNonNullableType(type).getCallSignatures()[0]?.parameters[0]
  const operation = request && memberOf(checker, checker.getTypeOfSymbol(request), 'operation')
  const id = operation && memberOf(checker, operation, 'operationId')
  return id?.isStringLiteral() ? id.value : undefined
}

export function memberOf(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type | undefined {
  const property = checker.getPropertyOfType(type, name)
  return property && checker.getTypeOfSymbol(property)
}

/** Returns the operation of the innermost handler around the node. */
export function handlerAround(checker: ts.TypeChecker, node: ts.Node): string | undefined {
  for (let each = node; !ts.isSourceFile(each); each = each.parent) {
    const pair = pairAt(checker, each)
    const operation = pair && operationOf(checker, pair.expected)
    if (operation !== undefined) return operation
  }
  return undefined
}

/** Returns the outermost value, up to a handler, that the node is a part of and whose type is wrong. */
export function wrongPairAround(checker: ts.TypeChecker, node: ts.Node): TypePair | undefined {
  const pairs = valuesAround(node).flatMap((each) => pairAt(checker, each) ?? [])
  const handler = pairs.findIndex(({ expected }) => operationOf(checker, expected) !== undefined)
  return pairs
    .slice(0, handler < 0 ? undefined : handler + 1)
    .findLast(({ given, expected }) => !checker.isTypeAssignableTo(given, expected))
}

/** Returns the node and those around it, up to a declaration or a statement that returns nothing. */
function valuesAround(node: ts.Node, isReturned = false): ts.Node[] {
  const isInReturn = ts.isReturnStatement(node) || (isReturned && !ts.isFunctionLike(node))
  if (ts.isVariableDeclaration(node)) return [node]
  if (ts.isSourceFile(node) || (ts.isStatement(node) && !isInReturn)) return []
  return [node, ...valuesAround(node.parent, isInReturn)]
}

function pairAt(checker: ts.TypeChecker, node: ts.Node): TypePair | undefined {
  if (ts.isMethodDeclaration(node)) return ofMethod(checker, node)
  const value = ts.isVariableDeclaration(node)
    ? node.initializer
    : ts.isReturnStatement(node)
      ? node.expression
      : node
  if (value === undefined || !ts.isExpression(value)) return undefined
  const expected = checker.getContextualType(value)
  return expected && { given: checker.getTypeAtLocation(value), expected, node: value }
}

function ofMethod(checker: ts.TypeChecker, node: ts.MethodDeclaration): TypePair | undefined {
  const { parent, name } = node
  const object = ts.isObjectLiteralExpression(parent) ? checker.getContextualType(parent) : undefined
  const expected = object && memberOf(checker, object, name.getText())
  return expected && { given: checker.getTypeAtLocation(node), expected, node }
}
