/**
 * The definitions of a view by name. Each is made after the definition that refers to it, without recursion: a chain of
 * references has any length.
 */
import type { Schema } from '../vocabulary/keywords.ts'

export class Definitions {
  readonly schemas: Record<string, Schema> = {}
  readonly #names = new Map<unknown, string>()
  readonly #pending: (() => void)[] = []

  /**
   * @param id an object, or a text that stands for one; each has one definition
   * @param label a pointer or a word, whose last part becomes the beginning of the name
   * @param schema makes the definition; it may ask for names of further ones
   */
  name(id: unknown, label: string, schema: () => Schema): string {
    const known = this.#names.get(id)
    if (known !== undefined) return known
    const name = this.#freeName(label)
    this.#names.set(id, name)
    this.schemas[name] = {}
    this.#pending.push(() => {
      this.schemas[name] = schema()
    })
    return name
  }

  /** @returns the name of a definition; undefined when it has none */
  known(id: unknown): string | undefined {
    return this.#names.get(id)
  }

  /** Makes every definition that has a name. */
  finish(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next()
  }

  #freeName(label: string): string {
    const base = label.slice(label.lastIndexOf('/') + 1).replaceAll(/[^A-Za-z0-9_]/g, '_')
    let name = base
    for (let serial = 2; Object.hasOwn(this.schemas, name) || ['__proto__', 'then'].includes(name); serial++)
      name = `${base}_${serial}`
    return name
  }
}
