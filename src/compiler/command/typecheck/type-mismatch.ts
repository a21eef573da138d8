/** Finds the innermost difference between the type of a value and the expected type, by comparing both in parallel. */
import ts from 'typescript'
import { itemsOf, literalOf, returnedBy, strayIn } from './type-places.ts'
import { isOptional, isStructure, membersOf, TypeTexts } from './type-texts.ts'

/** Names of properties and indexes of items; undefined is any item. */
export type Path = readonly (string | number | undefined)[]

export interface Mismatch {
  readonly path: Path
  readonly sentence: string
  /** Expression or property that is wrong, where the sources have one. */
  readonly node: ts.Node | undefined
  /** Type that the path starts from. */
  readonly root?: ts.Type
}

interface Pair {
  readonly given: ts.Type
  readonly expected: ts.Type
  /** Expression of the given value. */
  readonly node: ts.Node | undefined
  readonly isOptional?: boolean
}

/** Name of a part of a value, with the types of the part or what is wrong with it. */
type Part = readonly [name: string | number | undefined, part: Pair | Omit<Mismatch, 'path'>]

/** Bounds the comparison of recursive types. */
const maxDepth = 30

export class TypeComparison {
  readonly #checker: ts.TypeChecker
  readonly #texts: TypeTexts

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
    this.#texts = new TypeTexts(checker)
  }

  /**
   * @param outer pairs that this one is a part of: of recursive types, each pair is compared once
   * @returns undefined where the given type is assignable, or the types are too deep
   */
  find(pair: Pair, outer: readonly Pair[] = []): Mismatch | undefined {
    const { given, expected, node } = pair
    const isKnown = outer.some((each) => each.given === given && each.expected === expected)
    if (isKnown || outer.length > maxDepth || this.#checker.isTypeAssignableTo(given, expected))
      return undefined
    const [call, wanted] = [given, expected].map((type) => type.getCallSignatures()[0])
    if (call && wanted)
      return (
        firstIn(this.#pairsOf(call, wanted, node), (each) => this.find(each, [...outer, pair])) ??
        this.#leaf(pair)
      )
    if (given.isUnion() && given.types.some(isStructure))
      return firstIn(given.types, (type) => this.find({ ...pair, given: type }, [...outer, pair]))
    const members = membersOf(expected).filter(isStructure)
    if (!isStructure(given) || members.length === 0 || this.#texts.isPromise(given)) return this.#leaf(pair)
    return { ...this.#ofUnion(members, pair, outer), root: given }
  }

  #leaf({ given, expected, node, isOptional = false }: Pair): Mismatch {
    const sentence = this.#texts.difference(given, [expected], node)
    return {
      path: [],
      sentence: isOptional ? sentence.replace(' | undefined, given', ', given') : sentence,
      node
    }
  }

  #typeOf(symbol: ts.Symbol): ts.Type {
    return this.#checker.getTypeOfSymbol(symbol)
  }

  /** Pairs what a caller passes with the parameter, then each returned value with what the caller takes. */
  #pairsOf(call: ts.Signature, wanted: ts.Signature, node: ts.Node | undefined): Pair[] {
    const [[taken], [passed]] = [call.parameters, wanted.parameters]
    const parameters =
      taken && passed ? [{ given: this.#typeOf(passed), expected: this.#typeOf(taken), node: undefined }] : []
    const expected = this.#texts.awaited(wanted.getReturnType())
    const returned = returnedBy(node).map((each) => ({
      given: this.#texts.awaited(this.#checker.getTypeAtLocation(each)),
      expected,
      node: each
    }))
    const given = this.#texts.awaited(call.getReturnType())
    return [...parameters, ...returned, { given, expected, node: undefined }]
  }

  /** Compares with the members whose constants, such as `status`, are those of the value. */
  #ofUnion(members: readonly ts.Type[], pair: Pair, outer: readonly Pair[]): Mismatch {
    const constants = this.#constantsOf(members)
    let meant = members
    for (const name of constants) {
      const types = meant.flatMap((member) => this.#typesIn(member, name))
      const property = pair.given.getProperty(name)
      if (property === undefined) return { path: [name], ...this.#missing(types, pair) }
      const [given, node] = [this.#typeOf(property), literalOf(property)]
      meant = meant.filter((member) =>
        this.#typesIn(member, name).some((type) => this.#checker.isTypeAssignableTo(given, type))
      )
      if (meant.length === 0)
        return { path: [name], sentence: this.#texts.difference(given, types, node), node }
    }
    const found = meant.map((expected) => this.#ofStructure({ ...pair, expected }, outer))
    // The deepest mismatch belongs to the member that is meant.
    const deepest = found.reduce((a, b) => (b.path.length > a.path.length ? b : a))
    const isGuess = found.length > 1 && constants.length === 0 && deepest.path.length === 1
    return isGuess ? this.#leaf(pair) : deepest
  }

  #constantsOf(members: readonly ts.Type[]): string[] {
    const isConstant = (type: ts.Type, name: string) => {
      const types = this.#typesIn(type, name).flatMap(membersOf)
      return types.length > 0 && types.every((each) => each.isLiteral())
    }
    const names = members.flatMap((member) => member.getProperties().map(({ name }) => name))
    return [...new Set(names)].filter((name) => members.every((member) => isConstant(member, name)))
  }

  #typesIn(type: ts.Type, name: string): ts.Type[] {
    return type.getProperties().flatMap((each) => (each.name === name ? [this.#typeOf(each)] : []))
  }

  #ofStructure(pair: Pair, outer: readonly Pair[]): Mismatch {
    const parts = this.#checker.isArrayLikeType(pair.expected) ? this.#items(pair) : this.#properties(pair)
    const found = firstIn(parts, ([name, part]) => {
      const inner = 'sentence' in part ? { ...part, path: [] } : this.find(part, [...outer, pair])
      return inner && { ...inner, path: [name, ...inner.path] }
    })
    return found ?? this.#leaf(pair)
  }

  *#properties(pair: Pair): Iterable<Part> {
    const { given, expected } = pair
    for (const property of expected.getProperties()) {
      const [{ name }, type] = [property, this.#typeOf(property)]
      const own = given.getProperty(name)
      if (own !== undefined) yield [name, this.#property(own, property)]
      else if (!isOptional(property)) yield [name, this.#missing([type], pair)]
    }
    for (const { type } of this.#checker.getIndexInfosOfType(expected))
      for (const own of given.getProperties())
        if (expected.getProperty(own.name) === undefined)
          yield [own.name, { given: this.#typeOf(own), expected: type, node: literalOf(own) }]
    yield* this.#undefinedIn(pair)
  }

  #property(own: ts.Symbol, property: ts.Symbol): Part[1] {
    const [given, expected, node] = [this.#typeOf(own), this.#typeOf(property), literalOf(own)]
    if (!isOptional(own) || isOptional(property))
      return { given, expected, node, isOptional: isOptional(property) }
    return { sentence: `expected ${this.#texts.text(expected)}, but it may be missing`, node }
  }

  /** Finds optional properties that are undefined, which `exactOptionalPropertyTypes` refuses. */
  *#undefinedIn({ given, expected }: Pair): Iterable<Part> {
    for (const own of given.getProperties()) {
      const type = this.#typeOf(own)
      const isUndefined = membersOf(type).some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0)
      const sentence = `given ${this.#texts.text(type)}: leave it out where it is undefined`
      const isDeclared = expected.getProperties().some((each) => each.name === own.name && isOptional(each))
      if (isUndefined && isDeclared && !isOptional(own)) yield [own.name, { sentence, node: literalOf(own) }]
    }
  }

  *#items({ given, expected, node }: Pair): Iterable<Part> {
    const typesIn = (list: ts.Type) => [list.getNumberIndexType() ?? []].flat()
    for (const type of typesIn(expected)) {
      for (const [index, item] of itemsOf(node).entries())
        if (!ts.isSpreadElement(item))
          yield [index, { given: this.#checker.getTypeAtLocation(item), expected: type, node: item }]
      for (const own of typesIn(given)) yield [undefined, { given: own, expected: type, node: undefined }]
    }
  }

  #missing(types: readonly ts.Type[], { given, expected, node }: Pair): Omit<Mismatch, 'path'> {
    const literal = given.symbol?.declarations?.find(ts.isObjectLiteralExpression)
    const stray =
      literal && strayIn(literal, (each) => this.#checker.getPropertyOfType(expected, each) !== undefined)
    const note = stray === undefined ? '' : `; ${stray.getText()} is not declared`
    return {
      sentence: `missing, expected ${this.#texts.union(types)}${note}`,
      node: stray ?? literal ?? node
    }
  }
}

function firstIn<Item, Found>(
  items: Iterable<Item>,
  find: (item: Item) => Found | undefined
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
