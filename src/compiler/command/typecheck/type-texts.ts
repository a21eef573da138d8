/** Sentences about types, such as `expected string, given number`. */
import ts from 'typescript'

/** Longest text of a type in a sentence. */
const maxLength = 80

export class TypeTexts {
  readonly #checker: ts.TypeChecker

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
  }

  /** @param node expression of the given value */
  difference(given: ts.Type, expected: readonly ts.Type[], node: ts.Node | undefined): string {
    const isRight = (type: ts.Type) => expected.some((each) => this.#checker.isTypeAssignableTo(type, each))
    if (this.isPromise(given) && isRight(this.awaited(given))) return 'given a promise: await is missing'
    const isConstant = expected.flatMap(membersOf).some((type) => type.isLiteral())
    const shown = isConstant ? given : this.#checker.getBaseTypeOfLiteralType(given)
    const sentence = `expected ${this.union(expected)}, given ${this.text(shown)}`
    const isWidened = node !== undefined && isRight(this.#checker.getTypeAtLocation(node))
    return isWidened ? `${sentence}: "as const" is missing` : sentence
  }

  union(types: readonly ts.Type[]): string {
    return shortened([...new Set(types.map((type) => this.text(type)))].join(' | '))
  }

  text(type: ts.Type): string {
    return shortened(this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation))
  }

  isPromise(type: ts.Type): boolean {
    return this.awaited(type) !== type
  }

  /** Returns the type itself where it cannot be awaited: a `then` without a callback, for instance. */
  awaited(type: ts.Type): ts.Type {
    return this.#checker.getAwaitedType(type) ?? type
  }
}

export const isStructure = ({ flags }: ts.Type): boolean =>
  (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0

export const isOptional = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Optional) !== 0

export const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])

const shortened = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
