/** Builds path items, operations and their ids, parameters, responses, callbacks and links. */

import { createHash } from 'node:crypto'
import { additional, isStatus, methods } from '../document/objects.ts'
import { fragmentSegments } from '../document/reference.ts'
import type {
  Contract,
  Link,
  LinkValue,
  Location,
  Operation,
  Parameter,
  PathItem,
  Response,
  Security,
  Server,
  Style
} from '../model/contract.ts'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  membersOf,
  objectOf,
  own,
  stringOf
} from '../model/json.ts'
import { defaultsOf } from '../views/parts.ts'
import type { ContentBuilder } from './contents.ts'
import { extensionsOf, type Mutable, type SourceDocument, textsOf } from './document.ts'
import { type SecurityBuilder, serversOf } from './security.ts'

/** Place of a path item. */
interface Use {
  readonly direction: Operation['direction']
  readonly path: string
  readonly callback?: string
  /** Id of the operation that declares the callback; undefined for one without its own, and for webhooks. */
  readonly sender?: string | undefined
}

interface Joined {
  readonly node: JsonObject
  readonly written: JsonObject
}

export class OperationBuilder {
  readonly #document: SourceDocument
  readonly #contents: ContentBuilder
  readonly #security: SecurityBuilder
  readonly #parameters = new Map<JsonObject, Mutable<Parameter>>()
  readonly #responses = new Map<JsonObject, Response>()
  /** Webhooks and callbacks, each once: a callback may lead back to its own path item. */
  readonly #sent = new Map<JsonObject, Mutable<Operation>>()
  readonly #links: [Mutable<Link>, JsonObject][] = []
  /** Operations whose callbacks are not read yet. */
  #senders: [Mutable<Operation>, JsonObject][] = []
  readonly #servers: readonly Server[]
  /** Requirements of served operations without their own. */
  readonly #required: Security

  /** @param servers those of the contract, which operations without their own have */
  constructor(
    document: SourceDocument,
    contents: ContentBuilder,
    security: SecurityBuilder,
    servers: readonly Server[] | undefined
  ) {
    this.#document = document
    this.#contents = contents
    this.#security = security
    const whole = { url: '/', variables: new Map(), origin: document.origin(document.root) }
    this.#servers = servers ?? [whole]
    this.#required = security.requirements(document.root)
  }

  /** @returns served operations and webhooks, with their callbacks */
  build(): Pick<Contract, 'operations' | 'webhooks' | 'sent' | 'security'> {
    const { root } = this.#document
    const operations = membersOf(own(root, 'paths')).flatMap(([path, item]) =>
      this.#pathItem(item, { direction: 'served', path })
    )
    const webhooks = membersOf(own(root, 'webhooks')).flatMap(([path, item]) =>
      this.#pathItem(item, { direction: 'sent', path })
    )
    const declared = new Set(operations.map(({ id }) => id).filter((id) => id !== ''))
    for (const operation of operations)
      if (!operation.isNamed) operation.id = servedId(operation.method, operation.path, declared)
    // Callbacks of callbacks come last, because the names of those above count first.
    for (const senders = this.#senders; senders.length > 0; ) {
      this.#senders = []
      for (const [operation, node] of senders.splice(0)) this.#callbacks(operation, node)
      senders.push(...this.#senders)
    }
    const taken = new Set<string>()
    const sent = [...this.#sent.values()]
    for (const operation of sent) operation.id = uniqueIn(taken, operation.id)
    this.#lead(operations)
    return { operations, webhooks: [...new Set(webhooks)], sent, security: this.#required }
  }

  /** Sets the default of each parameter when all schemas are known. */
  finish(): void {
    for (const parameter of this.#parameters.values()) {
      const [nearest] = defaultsOf(parameter.schema ?? parameter.content?.schema)
      if (nearest !== undefined) parameter.default = nearest
    }
  }

  /** @returns undefined for a location that there is not */
  parameter(value: Json | undefined): Parameter | undefined {
    const node = this.#document.resolve(value)
    const location = stringOf(own(node ?? {}, 'in')) ?? ''
    if (node === undefined || !Object.hasOwn(styles, location)) return undefined
    const known = this.#parameters.get(node)
    if (known !== undefined) return known
    const place = location as Location
    const [standard] = styles[place]
    const style = styles[place].find((each) => each === own(node, 'style')) ?? standard
    const isTrue = (key: string) => own(node, key) === true
    const parameter: Parameter = {
      name: stringOf(own(node, 'name')) ?? '',
      in: place,
      required: place === 'path' || isTrue('required'),
      deprecated: isTrue('deprecated'),
      style,
      explode: (own(node, 'explode') ?? (style === 'form' || style === 'cookie')) === true,
      allowReserved: isTrue('allowReserved'),
      allowEmptyValue: isTrue('allowEmptyValue'),
      ...this.#contents.value(node),
      examples: this.#contents.examples(node),
      ...this.#document.common(node, 'parameters')
    }
    this.#parameters.set(node, parameter)
    return parameter
  }

  response(value: Json | undefined): Response | undefined {
    return this.#document.once(this.#responses, value, (node) => ({
      ...textsOf(node, 'summary'),
      headers: this.#contents.headers(node),
      contents: this.#contents.contents(node),
      links: Object.entries(objectOf(own(node, 'links'))).flatMap(([name, link]) => this.#link(name, link)),
      ...this.#document.common(node, 'responses')
    }))
  }

  #pathItem(value: Json, use: Use): Mutable<Operation>[] {
    const { node, written } = this.#joined(value) ?? {}
    if (node === undefined || written === undefined) return []
    const pathItem: PathItem = {
      ...this.#document.common(written, 'pathItems'),
      ...textsOf(node, 'summary', 'description'),
      parameters: this.#listed(node),
      extensions: extensionsOf(node)
    }
    const further = membersOf(own(node, additional))
    const fixed = methods.map((field) => [field.toUpperCase(), own(node, field)] as const)
    const found = [...fixed, ...further].flatMap(([method, each]) =>
      isObject(each) ? [[method, each] as const] : []
    )
    return found.map(([method, each]) => {
      const known = use.direction === 'sent' ? this.#sent.get(each) : undefined
      if (known !== undefined) return known
      const operation = this.#operation(method, each, pathItem, use)
      operation.servers = serversOf(each, this.#document) ?? serversOf(node, this.#document) ?? this.#servers
      if (use.direction === 'served') return operation
      if (!operation.isNamed)
        operation.id = sentId(use.sender, use.callback ?? use.path, found.length === 1 ? undefined : method)
      this.#sent.set(each, operation)
      return operation
    })
  }

  /**
   * Joins a path item with members beside its `$ref` and the path item to which that leads (OpenAPI 3.2.0, section 4.9).
   * @returns the path item, and the object that has it in the document; undefined if the chain breaks
   */
  #joined(value: Json | undefined, holders: readonly Json[] = []): Joined | undefined {
    if (!isObject(value) || holders.includes(value)) return undefined
    const { $ref: reference, ...others } = value
    if (typeof reference !== 'string') return { node: value, written: value }
    const target = this.#joined(this.#document.target(reference)?.value, [...holders, value])
    if (target === undefined || Object.keys(others).length === 0) return target
    return { node: { ...target.node, ...others }, written: value }
  }

  #operation(method: string, node: JsonObject, pathItem: PathItem, use: Use): Mutable<Operation> {
    const id = stringOf(own(node, 'operationId')) ?? ''
    const body = this.#contents.body(own(node, 'requestBody'), node)
    const isOwn = use.direction === 'sent' || own(node, 'security') !== undefined
    const operation: Mutable<Operation> = {
      id,
      isNamed: id !== '',
      method,
      path: use.path,
      pathItem,
      direction: use.direction,
      parameters: distinct([...this.#listed(node), ...pathItem.parameters]),
      ...(body && { body }),
      responses: this.#byStatus(objectOf(own(node, 'responses')), method, use),
      callbacks: [],
      security: isOwn ? this.#security.requirements(node) : this.#required,
      servers: [],
      tags: arrayOf(own(node, 'tags')).map(String),
      ...textsOf(node, 'summary', 'description'),
      deprecated: own(node, 'deprecated') === true,
      extensions: extensionsOf(node),
      origin: this.#document.origin(node)
    }
    if (own(node, 'callbacks') !== undefined) this.#senders.push([operation, node])
    return operation
  }

  #callbacks(operation: Mutable<Operation>, node: JsonObject): void {
    const sender = operation.isNamed || operation.direction === 'served' ? operation.id : undefined
    operation.callbacks = Object.entries(objectOf(own(node, 'callbacks'))).flatMap(([callback, value]) =>
      membersOf(this.#document.resolve(value)).flatMap(([path, item]) =>
        this.#pathItem(item, { direction: 'sent', path, callback, sender }).map((sent) => ({
          name: callback,
          expression: path,
          operation: sent
        }))
      )
    )
  }

  /** Headers with these names are ignored (OpenAPI 3.2.0, section 4.12.2): other parts of the contract describe them. */
  #listed(node: JsonObject): Parameter[] {
    const listed = arrayOf(own(node, 'parameters')).map((item) => this.parameter(item))
    return listed.filter((parameter) => parameter !== undefined).filter((parameter) => !isIgnored(parameter))
  }

  #byStatus(node: JsonObject, method: string, { direction, path }: Use): Map<string, Response> {
    const found = new Map<string, Response>()
    for (const [status, value] of Object.entries(node)) {
      const response = isStatus(status) ? this.response(value) : undefined
      if (response !== undefined) found.set(statusRange(status), response)
      if (direction === 'sent' || isStatus(status) || status.startsWith('x-')) continue
      const [severity, message] = fieldsOfResponse.has(status)
        ? (['error', `${status} stands among the statuses; it belongs into a response`] as const)
        : (['warning', `${method} ${path} cannot answer with status ${status}`] as const)
      this.#document.report(severity, 'response', message, this.#document.origin(node).at(status))
    }
    return found
  }

  #link(name: string, value: Json): Link[] {
    const node = this.#document.resolve(value)
    if (node === undefined) return []
    const body = own(node, 'requestBody')
    const link: Mutable<Link> = {
      name,
      parameters: new Map(
        Object.entries(objectOf(own(node, 'parameters'))).map(([key, each]) => [key, linkValue(each)])
      ),
      ...(body !== undefined && { body: linkValue(body) }),
      origin: this.#document.origin(node)
    }
    this.#links.push([link, node])
    return [link]
  }

  /** Lets links lead to their operations. */
  #lead(operations: readonly Operation[]): void {
    const byId = new Map(operations.map((operation) => [operation.id, operation]))
    const byPlace = new Map(
      operations.map((operation) => [`${operation.method} ${operation.path}`, operation])
    )
    for (const [link, node] of this.#links) {
      const { operationId, operationRef } = textsOf(node, 'operationId', 'operationRef')
      const [, path = '', ...at] = fragmentSegments(operationRef?.slice(operationRef.indexOf('#')) ?? '')
      const operation =
        operationId === undefined
          ? byPlace.get(`${String(at.at(-1)).toUpperCase()} ${path}`)
          : byId.get(operationId)
      const target = operationId ?? operationRef
      if (target !== undefined) link.target = target
      if (operation !== undefined) link.operation = operation
    }
  }
}

/** Styles for each location (OpenAPI 3.2.0, section 4.12.2), the default one first. */
export const styles: Readonly<Record<Location, readonly [Style, ...Style[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie']
}

export const isIgnored = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): boolean =>
  place === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())

/** Keeps the first of each name and location: that of the operation. */
export function distinct<Each extends Pick<Parameter, 'in' | 'name'>>(parameters: readonly Each[]): Each[] {
  const found = new Map<string, Each>()
  for (const parameter of parameters) {
    const { in: place, name } = parameter
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`
    if (!found.has(key)) found.set(key, parameter)
  }
  return [...found.values()]
}

/** Fields of a Response Object: among the statuses they indicate a wrongly indented response. */
const fieldsOfResponse: ReadonlySet<string> = new Set(['description', 'headers', 'content', 'links'])

const statusRange = (name: string): string =>
  name.toLowerCase() === 'default' ? 'default' : name.toUpperCase()

const linkValue = (value: Json): LinkValue =>
  typeof value === 'string' && value.startsWith('$') ? { expression: value } : { value }

/** Segments that can be restored from the name: words, alone or in braces, with single hyphens and underscores. */
const readable =
  /^(?:\/(?!by$|by\/)(?:[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*|\{[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\}))*$/

/**
 * Returns a name that depends on the method and the path alone, and is unique for them: `get_pets_by_id` for `GET
 * /pets/{id}`. A hyphen becomes two underscores, an underscore three.
 * @param taken ids that the contract declares
 */
function servedId(method: string, path: string, taken: ReadonlySet<string>): string {
  const template = path === '/' ? '' : path
  const name = `${method.toLowerCase()}${template}`.replaceAll(/[-_/{}]/g, spelled)
  if (readable.test(template) && !taken.has(name)) return name
  const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 12)
  return `${name.replaceAll(/\W+/g, '_')}____${digest}`
}

const spellings = { '/': '_', '-': '__', _: '___', '{': 'by_', '}': '' }
const spelled = (sign: string): string => spellings[sign as keyof typeof spellings]

/**
 * Returns the name of a webhook or callback.
 * @param sender id of the operation that declares the callback; undefined for a webhook
 * @param method undefined where the path item has one operation
 */
export function sentId(sender: string | undefined, name: string, method: string | undefined): string {
  const id =
    sender === undefined ? name : `${sender} ${name}`.replace(/ ./, (found) => found.trim().toUpperCase())
  return method === undefined ? id : id + capitalized(method.toLowerCase())
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Gives equal names a number. */
export function uniqueIn(taken: Set<string>, wanted: string): string {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  taken.add(name)
  return name
}
