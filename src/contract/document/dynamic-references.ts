/**
 * Rewrites dynamic references (JSON Schema Core 2020-12, section 8.2.3.2) as plain ones. The target of a dynamic
 * reference depends on the resources through which it is reached. All of them are known here, so that a schema reached
 * in several scopes gets a copy for each, in which every reference is bound.
 */
import { define, isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { baseOf, defaultBase, replaceDynamic } from './identifiers.ts'
import { atPointer, escapePointer, fragmentOf, pointerOf } from './reference.ts'
import { ContractNode, contractNodes, isPart, namedMembers, nodesBelow } from './walk.ts'

/** The dynamic scope: pointers of the outermost dynamic anchors by name. */
type Scope = ReadonlyMap<string, string>
const emptyScope: Scope = new Map()

/**
 * Rewrites the document in place.
 * @returns the original of each copied object
 */
export function bindDynamicReferences(document: JsonObject): ReadonlyMap<object, object> {
  const isDynamic = contractNodes(document).some(({ node }) => dynamicTarget(node) !== undefined)
  return isDynamic ? new Binder(document).bind() : new Map()
}

/** Returns the pointer of a `$dynamicRef`; identifiers.ts has written each that leads anywhere as one. */
function dynamicTarget(node: JsonObject): string | undefined {
  const reference = stringOf(own(node, '$dynamicRef'))
  return reference?.startsWith('#/') ? reference : undefined
}

interface Binding {
  readonly plain?: string
  readonly dynamic?: string
}

function apply(node: JsonObject, { plain, dynamic }: Binding): void {
  if (plain !== undefined) define(node, '$ref', plain)
  if (dynamic !== undefined) replaceDynamic(node, dynamic)
}

class Binder {
  readonly #document: JsonObject
  readonly #bases = new Map<JsonObject, string>()
  readonly #anchors = new Map<string, Map<string, string>>()
  readonly #homes = new Map<JsonObject, Scope>()
  readonly #dynamic = new Map<JsonObject, string>()
  readonly #needs = new Map<string, ReadonlySet<string>>()
  readonly #clones = new Map<string, string>()
  readonly #copied = new Map<object, object>()

  constructor(document: JsonObject) {
    this.#document = document
    for (const each of contractNodes(document)) {
      const base = baseOf(each)
      this.#bases.set(each.node, base)
      const anchor = stringOf(own(each.node, '$dynamicAnchor'))
      if (anchor !== undefined) this.#anchorsOf(base).set(anchor, fragmentOf(each.path))
    }
  }

  bind(): ReadonlyMap<object, object> {
    const visits = [...contractNodes(this.#document)]
    for (const { node, holder } of visits) {
      this.#homes.set(node, this.#enter(holder && this.#homes.get(holder.node), this.#bases.get(node)))
      const target = dynamicTarget(node)
      if (target !== undefined) this.#dynamic.set(node, target)
    }
    // Computes all bindings before applying any, because copies are made from the schemas as written.
    const bindings = visits.map(({ node }) => [node, this.#binding(node, this.#homes.get(node))] as const)
    for (const [node, binding] of bindings) apply(node, binding)
    return this.#copied
  }

  #anchorsOf(base: string): Map<string, string> {
    const anchors = this.#anchors.get(base) ?? new Map<string, string>()
    this.#anchors.set(base, anchors)
    return anchors
  }

  #enter(scope: Scope = emptyScope, base = defaultBase): Scope {
    const further = [...this.#anchorsOf(base)].filter(([name]) => !scope.has(name))
    return further.length === 0 ? scope : new Map([...scope, ...further])
  }

  #binding(node: JsonObject, scope: Scope = emptyScope): Binding {
    const pointer = pointerOf(node)
    const dynamic = this.#dynamic.get(node)
    return {
      ...(pointer === undefined ? {} : { plain: this.#target(pointer, scope) }),
      ...(dynamic === undefined
        ? {}
        : { dynamic: this.#target(scope.get(this.#anchorAt(dynamic)) ?? dynamic, scope) })
    }
  }

  #anchorAt(pointer: string): string {
    return String(own(objectOf(atPointer(this.#document, pointer)), '$dynamicAnchor'))
  }

  /**
   * Returns the schema itself if it means the same in this scope as at its own place, otherwise its copy for the scope.
   */
  #target(pointer: string, outer: Scope): string {
    const node = atPointer(this.#document, pointer)
    if (!isObject(node)) return pointer
    const scope = this.#enter(outer, this.#bases.get(node))
    const home = this.#homes.get(node)
    const names = [...this.#needsOf(pointer)].filter((name) => scope.get(name) !== home?.get(name))
    return names.length === 0 ? pointer : this.#clone(pointer, node, scope)
  }

  /** Returns the names of the dynamic anchors on which the schema, or a schema it refers to, depends. */
  #needsOf(start: string): ReadonlySet<string> {
    const known = this.#needs.get(start)
    if (known !== undefined) return known
    const names = new Set<string>()
    const seen = new Set<JsonObject>()
    const pending = [atPointer(this.#document, start)]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (!isObject(next)) continue
      for (const { node } of nodesBelow(new ContractNode(next), seen)) {
        const dynamic = this.#dynamic.get(node)
        if (dynamic !== undefined) names.add(this.#anchorAt(dynamic))
        pending.push(...this.#targetsOf(node, dynamic))
      }
    }
    this.#needs.set(start, names)
    return names
  }

  #targetsOf(node: JsonObject, dynamic: string | undefined): (Json | undefined)[] {
    const pointer = pointerOf(node)
    const name = dynamic === undefined ? undefined : this.#anchorAt(dynamic)
    const anchored = [...this.#anchors.values()].map((anchors) => anchors.get(name ?? ''))
    return [pointer, ...anchored].flatMap((target) =>
      target === undefined ? [] : [atPointer(this.#document, target)]
    )
  }

  #clone(pointer: string, node: JsonObject, scope: Scope): string {
    const relevant = [...this.#needsOf(pointer)].sort().map((name) => [name, scope.get(name)])
    const key = JSON.stringify([pointer, relevant])
    const known = this.#clones.get(key)
    if (known !== undefined) return known
    const name = this.#freeName(pointer)
    const reference = `#/components/schemas/${name}`
    this.#clones.set(key, reference)
    define(this.#schemas(), name, this.#copy(node, scope, undefined))
    return reference
  }

  #copy(node: JsonObject, outer: Scope, names: string | undefined): JsonObject {
    const scope = this.#enter(outer, this.#bases.get(node))
    const copy: JsonObject = {}
    this.#copied.set(copy, node)
    for (const [key, value] of Object.entries(node)) {
      if (names === undefined && identifying.has(key)) continue
      const inner = names === undefined && namedMembers.has(key) ? key : undefined
      const part = (item: Json) =>
        isObject(item) && isPart(key, names)
          ? this.#copy(item, scope, Array.isArray(value) ? undefined : inner)
          : item
      define(copy, key, Array.isArray(value) ? value.map(part) : part(value))
    }
    apply(copy, this.#binding(node, scope))
    return copy
  }

  #schemas(): JsonObject {
    const components = objectOf(own(this.#document, 'components'))
    define(this.#document, 'components', components)
    const schemas = objectOf(own(components, 'schemas'))
    define(components, 'schemas', schemas)
    return schemas
  }

  #freeName(pointer: string): string {
    const base = escapePointer(pointer.slice(pointer.lastIndexOf('/') + 1)).replaceAll(/[^A-Za-z0-9_]/g, '_')
    let serial = 2
    while (Object.hasOwn(this.#schemas(), `${base}_${serial}`)) serial++
    const name = `${base}_${serial}`
    define(this.#schemas(), name, {})
    return name
  }
}

/** Keywords that a copy drops: only its pointer refers to it. */
const identifying = new Set(['$id', '$anchor', '$dynamicAnchor'])
