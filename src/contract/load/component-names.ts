/** Names the components that the bundler adds to a contract by what references to them say (RFC 6901, section 6). */
import { escapePointer, fragmentOf, fragmentSegments } from '../document/pointer.ts'
import { rewriteReferences } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { define, type JsonObject, objectOf, own } from '../model/json.ts'

/** Component of the contract by its section and name. */
type Named = readonly [section: string, name: string]

const sectionOf = (document: JsonObject, section: string): JsonObject =>
  objectOf(own(objectOf(own(document, 'components')), section))

const namesOf = (document: JsonObject): Named[] =>
  Object.keys(objectOf(own(document, 'components'))).flatMap((section) =>
    Object.keys(sectionOf(document, section)).map((name): Named => [section, name])
  )

interface Reserved {
  /** Components of the author, as `section/name`. */
  readonly authors: ReadonlySet<string>
  /** Escaped names of these, which no other component may get. */
  readonly escaped: readonly Named[]
}

/**
 * Keeps the bundler from naming a component like a reference to another one of the author: `a~1b` beside `a/b`.
 * @returns what `nameByReference` takes after the bundler
 */
export function reserveNames(document: JsonObject): Reserved {
  const names = namesOf(document)
  const escaped = names
    .map(([section, name]): Named => [section, escapePointer(name)])
    .filter(([section, name]) => !Object.hasOwn(sectionOf(document, section), name))
  for (const [section, name] of escaped) define(sectionOf(document, section), name, 1)
  return { authors: new Set(names.map((each) => each.join('/'))), escaped }
}

/**
 * Gives the components that the bundler has added the names that references to them say: it names each by the last segment
 * of its pointer, which stays escaped, so that `#/components/schemas/a~1b` would lead to no component `a~1b`.
 */
export function nameByReference(document: JsonObject, { authors, escaped }: Reserved): void {
  for (const [section, name] of escaped) Reflect.deleteProperty(sectionOf(document, section), name)
  const moved = new Map<string, string>()
  for (const [section, name] of namesOf(document)) {
    const reference = `#/components/${section}/${name}`
    const meant = String(fragmentSegments(reference).at(-1))
    if (meant === name || authors.has(`${section}/${name}`)) continue
    const members = sectionOf(document, section)
    const free = freeName(members, meant)
    define(members, free, members[name] ?? {})
    Reflect.deleteProperty(members, name)
    if (free !== meant) moved.set(reference, fragmentOf(['components', section, free]))
  }
  if (moved.size === 0) return
  for (const { node } of contractNodes(document))
    rewriteReferences(node, (reference) => moved.get(reference) ?? reference)
}

function freeName(members: JsonObject, name: string): string {
  let free = name
  for (let serial = 2; Object.hasOwn(members, free); serial++) free = `${name}-${serial}`
  return free
}
