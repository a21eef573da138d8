/**
 * Numbers JSON values so that equal ones have equal numbers (JSON Schema Core 2020-12, section 4.2.2). The text of a
 * value holds the numbers of its members instead of their texts, therefore it grows with the members, not with their
 * content.
 */
/** The text of a value that has no members. */
type TextOf = (value: unknown) => string

/** Returns true for an object or list; a `NumberLiteral` is neither. */
const isComposed = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Number)

export class Identities {
  readonly #numbers = new Map<string, number>()
  readonly #known = new Map<object, number>()
  readonly #textOf: TextOf

  constructor(textOf: TextOf) {
    this.#textOf = textOf
  }

  of(value: unknown): number {
    if (!isComposed(value)) return this.#numberOf(this.#textOf(value))
    return this.#known.get(value) ?? this.#add(value)
  }

  /** Numbers the innermost values first, without recursion: a client chooses the depth and could overflow the stack. */
  #add(root: object): number {
    const found = new Set([root])
    for (const outer of found)
      for (const inner of Object.values(outer))
        if (isComposed(inner) && !this.#known.has(inner)) found.add(inner)
    let number = 0
    for (const value of [...found].reverse()) number = this.#number(value)
    return number
  }

  #number(value: object): number {
    const number = this.#numberOf(Array.isArray(value) ? this.#list(value) : this.#object(value))
    this.#known.set(value, number)
    return number
  }

  #list(items: readonly unknown[]): string {
    return `[${items.map((item) => this.of(item)).join()}]`
  }

  #object(members: object): string {
    const texts = Object.keys(members)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${this.of(Reflect.get(members, name))}`)
    return `{${texts.join()}}`
  }

  #numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }
}
