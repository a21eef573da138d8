/** Recognises schemas: by object within a document, by text between two documents. */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  pointerOf
} from '../../compile/documents.ts'
import { identity, type Reading } from '../../evaluate/evaluate.ts'
import type { Schemas } from './comparison.ts'

/** Members of a schema that document it. */
const texts: ReadonlySet<string> = new Set([
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'externalDocs',
  '$comment'
])
/** Members whose own members have names of the author's. */
const mapsOfNames = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  '$defs',
  'definitions',
  'mapping',
  'responses',
  'headers',
  'callbacks',
  'encoding',
  'links',
  'additionalOperations'
])
/** Members whose values are data, in which no name has a meaning. */
const literals = new Set(['const', 'enum', 'default'])

export class Identity {
  readonly #sent: Pick<Reading, 'target'>
  readonly #received: Pick<Reading, 'target'>
  readonly #ignored: ReadonlySet<string>
  readonly #numbers = new WeakMap<object, number>()
  /** Pairs of references; the value is true when both lead to the same text. */
  readonly #known = new Map<string, boolean>()
  /** Pairs that are assumed to be equal until a difference is found. */
  #assumed = new Set<string>()
  #count = 0

  /** @param ignored members that do not matter */
  constructor(sent: Pick<Reading, 'target'>, received: Pick<Reading, 'target'>, ignored = texts) {
    this.#sent = sent
    this.#received = received
    this.#ignored = ignored
  }

  /** Returns a key of the schemas that does not depend on their order. */
  keyOf(schemas: Schemas): string {
    return schemas
      .map((schema) => this.#numberOf(schema))
      .sort()
      .join('+')
  }

  #numberOf(schema: Json): string {
    if (!isObject(schema)) return String(schema)
    const known = this.#numbers.get(schema) ?? ++this.#count
    this.#numbers.set(schema, known)
    return String(known)
  }

  /** Returns whether the schemas have the same text without what is ignored, and what they refer to. */
  isSame(sent: Schemas, received: Schemas): boolean {
    if (sent.length !== received.length) return false
    this.#assumed = new Set()
    const isSame = sent.every((schema, index) => this.#sameMembers(schema, received[index], false))
    if (isSame) for (const key of this.#assumed) this.#known.set(key, true)
    return isSame
  }

  #matches(a: Json, b: Json, isMap: boolean): boolean {
    if (Array.isArray(a) || Array.isArray(b)) return this.#sameLists(a, b)
    if (!isObject(a) || !isObject(b)) return a === b
    const isReference = !isMap && pointerOf(a) !== undefined && pointerOf(b) !== undefined
    if (isReference && !this.#sameTargets(a, b)) return false
    if (!isMap && branchNames(a) !== branchNames(b)) return false
    const keys = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...keys].every((key) => {
      const [one, other] = [own(a, key), own(b, key)]
      if (isMap) return this.#sameMembers(one, other, false)
      if (this.#ignored.has(key) || (key === '$ref' && isReference)) return true
      return literals.has(key) ? isEqual(one, other) : this.#sameMembers(one, other, mapsOfNames.has(key))
    })
  }

  #sameMembers(a: Json | undefined, b: Json | undefined, isMap: boolean): boolean {
    return a !== undefined && b !== undefined && this.#matches(a, b, isMap)
  }

  #sameLists(a: Json, b: Json): boolean {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => this.#sameMembers(item, b[index], false))
  }

  #sameTargets(a: JsonObject, b: JsonObject): boolean {
    const key = `${pointerOf(a)} ${pointerOf(b)}`
    const known = this.#known.get(key) ?? (this.#assumed.has(key) ? true : undefined)
    if (known !== undefined) return known
    this.#assumed.add(key)
    const isSame = this.#sameMembers(this.#sent.target(a), this.#received.target(b), false)
    if (!isSame) this.#known.set(key, false)
    return isSame
  }
}

const isEqual = (a: Json | undefined, b: Json | undefined): boolean =>
  a !== undefined && b !== undefined && identity(a) === identity(b)

/** Returns the names of referenced schemas, which are values of a discriminator. */
function branchNames(node: JsonObject): string {
  if (own(node, 'discriminator') === undefined) return ''
  const branches = [...arrayOf(own(node, 'oneOf')), ...arrayOf(own(node, 'anyOf'))]
  return branches.map((branch) => pointerOf(objectOf(branch))).join()
}
