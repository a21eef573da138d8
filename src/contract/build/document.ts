/** The document that a contract is built from: its references followed, its places, and what is found to be wrong. */
import { componentsOf, fragmentSegments } from '../document/reference.ts'
import type { PathItem } from '../model/contract.ts'
import { isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { NodeOrigin, type Origin, type Places, type Problem } from '../model/origin.ts'

/** A member of the document: a schema `false` has a place, but no identity of its own. */
export interface Member {
  readonly value: Json
  readonly holder: object
  readonly key: string
}

type Common = Pick<PathItem, 'description' | 'component' | 'extensions' | 'origin'>

export class SourceDocument {
  readonly root: JsonObject
  readonly problems: Problem[] = []
  readonly #places: Places
  readonly #targets = new Map<string, Member | undefined>()
  /** Sections and names of components by their object. */
  readonly #names = new Map<object, { readonly section: string; readonly component: string }>()

  constructor(root: JsonObject, places: Places) {
    this.root = root
    this.#places = places
    for (const [section, members] of Object.entries(objectOf(own(root, 'components'))))
      for (const [component, node] of Object.entries(objectOf(members)))
        if (isObject(node)) this.#names.set(node, { section, component })
  }

  components(section: string): JsonObject {
    return componentsOf(this.root, section)
  }

  origin(node: object): Origin {
    return new NodeOrigin(this.#places, node)
  }

  /** Returns the member that a reference `#/…` leads to. */
  target(reference: string): Member | undefined {
    const known = this.#targets.get(reference)
    if (known !== undefined || this.#targets.has(reference)) return known
    const found = this.#follow(reference)
    this.#targets.set(reference, found)
    return found
  }

  /** Follows Reference Objects to an object that is none; undefined if the chain breaks (checks/references.ts). */
  resolve(node: Json | undefined): JsonObject | undefined {
    const seen: string[] = []
    let next = node
    while (isObject(next)) {
      const reference = stringOf(own(next, '$ref'))
      if (reference === undefined) return next
      next = seen.includes(reference) ? undefined : this.target(reference)?.value
      seen.push(reference)
    }
    return undefined
  }

  /**
   * Reads an object that references may share, once.
   * @param known nodes of the model by their objects
   */
  once<Node>(
    known: Map<JsonObject, Node>,
    value: Json | undefined,
    read: (node: JsonObject) => Node
  ): Node | undefined {
    const node = this.resolve(value)
    if (node === undefined) return undefined
    const found = known.get(node) ?? read(node)
    known.set(node, found)
    return found
  }

  /** Returns what parts of every kind have; their names as components of a section. */
  common(node: JsonObject, section: string): Common {
    const found = this.#names.get(node)
    return {
      ...textsOf(node, 'description'),
      ...(found?.section === section && { component: found.component }),
      extensions: extensionsOf(node),
      origin: this.origin(node)
    }
  }

  /** Reports what the model leaves out. */
  report(severity: Problem['severity'], rule: string, message: string, origin: Origin): void {
    this.problems.push({ severity, rule, message, origin })
  }

  #follow(reference: string): Member | undefined {
    if (!reference.startsWith('#/')) return undefined
    let member: Member = { value: this.root, holder: this.root, key: '' }
    for (const segment of fragmentSegments(reference)) {
      const holder = member.value
      if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, segment)) return undefined
      const value = Reflect.get(holder, segment) as Json | undefined
      if (value === undefined) return undefined
      member = { value, holder, key: segment }
    }
    return member
  }
}

/** Returns the members `x-…` of a node. */
export function extensionsOf(node: JsonObject): Readonly<Record<string, Json>> {
  const names = Object.keys(node).filter((name) => name.startsWith('x-'))
  return names.length === 0 ? none : Object.fromEntries(names.map((name) => [name, node[name] ?? null]))
}

const none = Object.freeze({})

/** Returns the members of a node that are texts, each as a member to spread. */
export function textsOf<Name extends string>(node: JsonObject, ...names: Name[]): { [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {}
  for (const name of names) {
    const text = stringOf(own(node, name))
    if (text !== undefined) found[name] = text
  }
  return found
}

/** A node while it is built: cycles are closed in the second pass. */
export type Mutable<Node> = { -readonly [Name in keyof Node]: Node[Name] }
