/** Equal parts of the data of operations, each of which is written once, as a constant. */
import { sourceOf } from '../../source/values.ts'

/** Values that are written once where they are equal: responses, parameters and plans. */
export class Shared {
  readonly #known = new Map<string, object>()
  readonly #uses = new Map<object, number>()

  /** Returns the value with equal parts as one object. */
  of(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.of(item))
    const members = Object.entries(value).map(([name, member]) => [name, this.of(member)] as const)
    const copy: object = Object.fromEntries(members)
    const text = sourceOf(copy)
    if (text.length < minShared) return copy
    const known = this.#known.get(text) ?? copy
    this.#known.set(text, known)
    this.#uses.set(known, (this.#uses.get(known) ?? 0) + 1)
    return known
  }

  constants(): { names: ReadonlyMap<object, string>; text: string } {
    const names = new Map<object, string>()
    let text = ''
    // Inner values come before those that hold them.
    for (const [value, uses] of this.#uses) {
      if (uses < 2) continue
      const name = `shared${names.size}`
      text += `const ${name} = ${sourceOf(value, { names })}\n`
      names.set(value, name)
    }
    return { names, text }
  }
}

/** Shortest text that is written once. */
const minShared = 60
