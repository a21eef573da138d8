/**
 * Finds what is wrong in the structure of a contract, in one walk over its files by the table of node types: fields that
 * are unknown or missing, values of another type, and references that lead nowhere. What can have only one meaning is
 * repaired on the way: each change is a warning with its place.
 */
import { pathOf } from '../diagnostics/locator.ts'
import { ContractError, type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import type { SourceFile } from '../diagnostics/source-file.ts'
import { isNearMiss, nearest } from '../diagnostics/spelling.ts'
import { identifiersOf, isIdentified } from '../document/identifiers.ts'
import { additional, isMisplaced, methods } from '../document/objects.ts'
import { atPath, fragmentSegments, rewriteReferences } from '../document/reference.ts'
import { nameSchemes } from '../document/self.ts'
import { isPart } from '../document/walk.ts'
import { isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import type { FileResolver } from './file-resolver.ts'
import {
  type Content,
  dataTypes,
  described,
  inPlaceOfSchemas,
  isSoundData,
  jsonTypes,
  type NodeType,
  nodeTypes,
  typeOf
} from './node-types.ts'
import { repairNode } from './repairs.ts'

interface Structure {
  readonly problems: readonly ContractProblem[]
  /** True when the bundler has something to change. */
  readonly isUnbundled: boolean
  /** Paths of references to objects of the same file, in place of a text, a number or an example. */
  readonly inlined: readonly (readonly string[])[]
  /** A reference that leads back to itself, which the bundler cannot follow. */
  readonly cycle: ContractProblem | undefined
}

/** @param version the first two numbers of the version of OpenAPI */
export async function checkStructure(
  root: SourceFile,
  version: string,
  resolver: FileResolver
): Promise<Structure> {
  const walk = new Walk(root, version, resolver)
  await walk.run()
  return walk
}

/** Part of a file, by the key in the part that holds it. */
interface Place {
  readonly file: SourceFile
  readonly key?: string
  readonly holder?: Place
}

const child = (holder: Place, key: string): Place => ({ file: holder.file, key, holder })

interface Visit {
  readonly value: Json | undefined
  readonly content: Content
  readonly at: Place
  /** True for parts whose mistakes are warnings: data, and since OpenAPI 3.1 schemas, whose keywords others check. */
  readonly isLax: boolean
}

/** Names, lists and maps of objects of OpenAPI. */
const isOfObjects = (content: Content): content is string =>
  typeof content === 'string' && /^[A-Z]/.test(content)

/** Recognises texts in a mapping that are references, not names of schemas. */
const isReference = (text: string): boolean => /^#|\/|\.(ya?ml|json)$/i.test(text)

class Walk implements Structure {
  readonly problems: ContractProblem[] = []
  readonly inlined: string[][] = []
  isUnbundled = false
  cycle: ContractProblem | undefined
  readonly #root: SourceFile
  readonly #is30: boolean
  readonly #types: Readonly<Record<string, NodeType>>
  readonly #resolver: FileResolver
  /** Content as which each object was visited first, and the further ones of the few that have several. */
  readonly #seen = new Map<object, Content>()
  readonly #seenAgain = new Map<object, Set<Content>>()
  /** References that were followed to an object, by their file and its content. */
  readonly #followed = new Set<string>()
  readonly #pending: Visit[] = []
  readonly #repaired = new Set<object>()
  #identifiers: ReadonlyMap<string, string> | undefined

  constructor(root: SourceFile, version: string, resolver: FileResolver) {
    this.#root = root
    this.#is30 = version === '3.0'
    this.#types = nodeTypes(version)
    this.#resolver = resolver
  }

  async run(): Promise<void> {
    const root = { value: this.#root.value, content: 'Root', at: { file: this.#root } }
    this.#pending.push({ ...root, isLax: false })
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const { value, content } = next
      if (this.#wasSeen(value, content)) continue
      if (isObject(value) && typeof content === 'string') this.#repair(value, content, next.at)
      const reference = isObject(value) ? stringOf(own(value, '$ref')) : undefined
      if (reference === undefined || content === 'any') this.#check(next)
      else await this.#follow(reference, next)
      if (content === 'mapped' && typeof value === 'string' && isReference(value))
        await this.#follow(value, { ...next, content: 'Schema' })
    }
  }

  #repair(node: JsonObject, type: string, at: Place): void {
    if (this.#types[type] === undefined || this.#repaired.has(node)) return
    this.#repaired.add(node)
    const rewrite = this.#resolver.rewriting(at.file)
    rewriteReferences(node, rewrite)
    nameSchemes(node, rewrite)
    for (const { key, message } of repairNode({ node, type, key: at.key }, this.#is30))
      this.#add({ severity: 'warning', rule: 'repair', message }, child(at, key))
  }

  #wasSeen(value: Json | undefined, content: Content): boolean {
    if (typeof value !== 'object' || value === null) return false
    const first = this.#seen.get(value)
    if (first === undefined) {
      this.#seen.set(value, content)
      return false
    }
    const others = this.#seenAgain.get(value) ?? new Set()
    if (first === content || others.has(content)) return true
    this.#seenAgain.set(value, others.add(content))
    return false
  }

  async #follow(reference: string, visit: Visit): Promise<void> {
    const { value, content, at, isLax } = visit
    const isLocal = at.file === this.#root && reference.startsWith('#/')
    if (!isLocal) this.isUnbundled = true
    // Those that do not apply beside a reference are removed (repairs.ts).
    if (isObject(value) && (content === 'PathItem' || content === 'Schema'))
      this.#members(value, content, visit)
    const followed = `${at.file.path} ${String(content)} ${reference}`
    const beside = content === 'PathItem' ? Object.keys(objectOf(value)).filter((key) => key !== '$ref') : []
    if (beside.length === 0 && this.#followed.has(followed)) return
    try {
      const target = await this.#target(reference, at.file)
      if (target === undefined) return this.#unresolved(reference, visit)
      if (this.cycle === undefined && (await this.#isEndless(target))) this.cycle = endless(reference, at)
      for (const member of beside.filter((key) => exclusive.has(key) && key in objectOf(target.value)))
        this.#report('error', `${member} ${besideReference}`, child(at, member), true, 'reference')
      if (isOfObjects(content)) {
        this.#followed.add(followed)
        this.#pending.push({ ...target, content, isLax })
      } else {
        const isPlain = isObject(target.value) && own(target.value, '$ref') === undefined
        if (isLocal && isPlain) this.inlined.push(pathOf(at))
        else this.isUnbundled = true
        this.#pending.push({ value: target.value, content, at, isLax })
      }
    } catch (error) {
      this.#unresolved(reference, visit, error)
    }
  }

  /**
   * @returns undefined for a reference that leads nowhere, or to an identifier
   * @throws {Error} for a file that cannot be read
   */
  async #target(reference: string, from: SourceFile): Promise<Pick<Visit, 'value' | 'at'> | undefined> {
    const [path = '', fragment = ''] = reference.split('#')
    if (fragment !== '' && !fragment.startsWith('/')) return undefined
    const file = path === '' ? from : await this.#resolver.resolveDocument(from.path, path)
    let found: Pick<Visit, 'value' | 'at'> = { value: file.value, at: { file } }
    const segments = fragmentSegments(fragment).filter((segment) => segment !== '')
    for (const segment of segments) {
      const value = atPath(found.value, [segment])
      const through = value === undefined ? stringOf(own(objectOf(found.value), '$ref')) : undefined
      if (through === undefined) found = { value, at: child(found.at, segment) }
      else {
        const next = through === reference ? undefined : await this.#target(through, found.at.file)
        if (next === undefined) return undefined
        found = { value: atPath(next.value, [segment]), at: child(next.at, segment) }
      }
    }
    return found.value === undefined ? undefined : found
  }

  /** Returns true for a reference that leads to references alone, and to itself again. */
  async #isEndless(start: Pick<Visit, 'value' | 'at'>): Promise<boolean> {
    const passed = new Set<Json | undefined>()
    let next: Pick<Visit, 'value' | 'at'> | undefined = start
    while (isObject(next?.value) && !passed.has(next.value)) {
      passed.add(next.value)
      const reference = stringOf(own(next.value, '$ref'))
      if (reference === undefined) return false
      next = await this.#target(reference, next.at.file).catch(() => undefined)
    }
    return next !== undefined && passed.has(next.value)
  }

  #check(visit: Visit): void {
    const { value, content, at, isLax } = visit
    const [inner, shape] = typeof content === 'string' ? partsOf(content) : []
    if (inner !== undefined && shape === '[]') {
      if (Array.isArray(value))
        for (const [index, item] of value.entries()) this.#visit(item, inner, String(index), visit)
      else this.#wrongType('array', visit)
    } else if (inner !== undefined && shape === '{}') {
      if (isObject(value))
        for (const [name, member] of Object.entries(value))
          this.#visit(member, inner, name, { at, isLax: isLax || isExtension(name) })
      else this.#wrongType('object', visit)
    } else if (isOfObjects(content)) {
      if (isObject(value)) this.#node(value, content, visit)
      else if (content === 'Schema' && typeof value === 'boolean') return
      else this.#wrongType(`${content}\` (object)`, visit)
    } else this.#checkData(visit)
  }

  #visit(value: Json, content: Content, key: string, { at, isLax }: Pick<Visit, 'at' | 'isLax'>): void {
    if (!isSoundData(value, content)) this.#pending.push({ value, content, at: child(at, key), isLax })
  }

  #checkData(visit: Visit): void {
    const { value, content, at } = visit
    const allowed = content === 'types' ? jsonTypes : content
    if (typeof allowed === 'string') {
      const type = dataTypes[allowed]
      if (type === undefined) return
      if (!type.fits(value)) this.#wrongType(type.name, visit)
      else if (type.isPositive === true && Number(value) < 0)
        this.#wrong(
          `Expected type \`${type.name}\` of at least 0 but got \`${Number(value)}\` at \`${at.key}\``,
          visit
        )
      return
    }
    const values = content === 'types' && Array.isArray(value) ? value : [value]
    for (const [index, each] of values.entries()) {
      if (allowed.some((one) => one === each)) continue
      const listed = allowed.map((one) => `"${one}"`).join(', ')
      const found = typeof each === 'string' ? `; it is ${each}` : ''
      const place = values === value ? child(at, String(index)) : at
      this.#wrong(`\`${at.key}\` can be one of the following only: ${listed}${found}.`, {
        ...visit,
        at: place
      })
    }
  }

  #node(node: JsonObject, name: string, visit: Visit): void {
    const { at } = visit
    const type = this.#types[name]
    const ofType = type?.byType?.[String(own(node, 'type'))]
    for (const { needed = [], required = [] } of [type ?? {}, ofType ?? {}])
      for (const field of [...needed, ...required]) {
        if (Object.hasOwn(node, field)) continue
        const severity = needed.includes(field) || isServed(name, at) ? 'error' : 'warning'
        this.#report(severity, `The field \`${field}\` must be present on this level.`, at, true)
      }
    if (type?.oneOf?.some((field) => Object.hasOwn(node, field)) === false)
      this.#wrong(`Must contain at least one of the following fields: ${type.oneOf.join(', ')}.`, visit, true)
    this.#members(node, name, visit)
  }

  #members(node: JsonObject, name: string, { at, isLax }: Visit): void {
    const type = this.#types[name]
    const isData = isLax || name === 'Example' || (name === 'Schema' && !this.#is30)
    if (isChangedByBundler(node, name)) this.isUnbundled = true
    const misplaced = type?.byType === undefined ? [] : fieldsOfOthers(type.byType, String(own(node, 'type')))
    for (const [key, value] of Object.entries(node)) {
      const content = contentOf(key, type)
      if (content !== undefined && misplaced.includes(key))
        this.#report('warning', `The field \`${key}\` is not allowed here.`, child(at, key), true)
      if (content !== undefined)
        this.#visit(value, content, key, { at, isLax: isData || !isPart(key, undefined) })
      else if (key.startsWith('x-')) this.#extension(value, child(at, key))
      else if (key !== '$ref' || typeof value !== 'string') this.#unknown(key, name, { at, isLax: isData })
    }
  }

  /** The bundler follows references in an extension, and in the members of one that is an object. */
  #extension(value: Json, at: Place): void {
    if (stringOf(own(objectOf(value), '$ref'))?.startsWith('#/') === false) this.isUnbundled = true
    for (const [key, member] of Object.entries(objectOf(value)))
      if (own(objectOf(member), '$ref') !== undefined)
        this.#pending.push({ value: member, content: 'example', at: child(at, key), isLax: true })
  }

  #unknown(key: string, name: string, { at, isLax }: Pick<Visit, 'at' | 'isLax'>): void {
    const known = Object.keys(this.#types[name]?.members ?? {})
    const isMisspelt = !isLax && known.some((member) => isNearMiss(key, member))
    const ofPath = name === 'PathItem' ? methods.filter((method) => known.includes(method)) : []
    const meant = nearest(key, ofPath) ?? nearest(key, known)
    const hint = meant === undefined || meant.startsWith('$') ? '' : ` Did you mean \`${meant}\`?`
    const message = `Property \`${key}\` is not expected here.${hint}`
    this.#report(isMisspelt ? 'error' : 'warning', message, child(at, key), true)
  }

  #wrongType(type: string, visit: Visit): void {
    const { value, content, at } = visit
    const wanted = typeof content === 'string' ? inPlaceOfSchemas[content] : undefined
    if (wanted !== undefined) {
      const subject = at.key === undefined ? 'this file' : `\`${at.key}\``
      const message = `${subject} must be ${wanted}: it is ${described(value)}`
      this.#report('error', message, at, true, 'schema')
      return
    }
    const member = pathOf(at).findLast((segment) => !/^\d+$/.test(segment)) ?? 'the document'
    this.#wrong(
      `Expected type \`${type}${type.endsWith(')') ? '' : '`'} but got \`${typeOf(value)}\` at \`${member}\``,
      visit
    )
  }

  #wrong(message: string, { at, isLax }: Visit, onName = false): void {
    this.#report(isLax ? 'warning' : 'error', message, at, onName)
  }

  #report(
    severity: ContractProblem['severity'],
    message: string,
    at: Place,
    onName = false,
    rule = 'structure'
  ): void {
    const path = pathOf(at)
    const [first, section = '', name = ''] = path
    // By its shape it is something else: checks/references.ts judges its uses.
    const component = first === 'components' ? atPath(this.#root.value, ['components', section, name]) : null
    if (isObject(component) && isMisplaced(section, component)) return
    this.#add({ severity, rule, message }, at, onName)
  }

  #add(problem: Pick<ContractProblem, 'severity' | 'rule' | 'message'>, at: Place, onName = true): void {
    this.problems.push({ ...problem, file: at.file.path, ...at.file.positionOf(pathOf(at), onName) })
  }

  #unresolved(reference: string, { content, at }: Visit, error?: unknown): void {
    const isMapped = at.holder?.key === 'mapping'
    this.#identifiers ??= identifiersOf(objectOf(this.#root.value))
    if (content === 'example' || isMapped || isIdentified(reference, this.#identifiers)) return
    const { file } = at
    const mistakes = error instanceof ContractError ? error.problems : []
    for (const mistake of mistakes)
      this.problems.push({ ...mistake, rule: 'syntax', message: `Failed to parse: ${mistake.message}` })
    const written = String(file.spellingAt([...pathOf(at), '$ref']))
    const cut = written.lastIndexOf('/')
    const [parent, name] = [written.slice(0, cut), written.slice(cut + 1)]
    const known = parent.startsWith('#')
      ? file.namesAt(fragmentSegments(parent))
      : this.#resolver.namesIn(parent, file.path)
    const meant = nearest(name, known)
    const reason = error === undefined ? '' : `: ${mistakes[0]?.message ?? reasonOf(error)}`
    const hint =
      meant === undefined || meant === name
        ? ''
        : `. Did you mean \`${cut < 0 ? '' : `${parent}/`}${meant}\`?`
    const severity = String(content).startsWith('Example') ? 'warning' : 'error'
    const message = `Can't resolve $ref ${written}${reason}${hint}`
    this.#add({ severity, rule: 'reference', message }, at, false)
  }
}

function endless(reference: string, at: Place): ContractProblem {
  const place = { file: at.file.path, ...at.file.positionOf([...pathOf(at), '$ref']) }
  const message = `${reference} cannot be followed: it leads back to itself`
  return { severity: 'error', rule: 'reference', ...place, message }
}

const besideReference = 'stands beside the $ref of a path, and where the $ref leads: keep one of them'

/** Fields whose meaning is undefined in both of two joined path items (OpenAPI 3.2.0, section 4.9). */
const exclusive: ReadonlySet<string> = new Set([...methods, additional, 'parameters', 'servers'])

/** Webhooks and callbacks are not served. */
function isServed(name: string, at: Place): boolean {
  const [first, ...keys] = pathOf(at)
  return name === 'Operation' && first === 'paths' && keys.length === 2
}

function contentOf(key: string, type: NodeType | undefined): Content | undefined {
  if (type === undefined) return undefined
  if (Object.hasOwn(type.members, key)) return type.members[key]
  return type.named?.pattern.test(key) === true ? type.named.content : undefined
}

/** Extensions among members that the author names, and headers that begin like one. */
const isExtension = (name: string): boolean => /^x-/i.test(name)

const isChangedByBundler = (node: JsonObject, name: string): boolean =>
  (name === 'Example' && 'externalValue' in node) ||
  (name === 'Discriminator' && 'defaultMapping' in node) ||
  (name === 'Mapping' && !Object.values(node).every((target) => /^#\/|^[\w-]*$/.test(String(target))))

/** Splits `Server[]` into the content of the items and the sign of the list. */
function partsOf(content: string): [inner: string, shape: string] | [] {
  const shape = content.slice(-2)
  return shape === '[]' || shape === '{}' ? [content.slice(0, -2), shape] : []
}

const fieldsOfOthers = (byType: NonNullable<NodeType['byType']>, type: string): string[] => {
  const fieldsOf = (each: string) => {
    const { needed = [], required = [], also = [] } = byType[each] ?? {}
    return [...needed, ...required, ...also]
  }
  return Object.keys(byType)
    .flatMap(fieldsOf)
    .filter((field) => !fieldsOf(type).includes(field))
}
