/** Values from earlier answers and creations, for the operations that take them: by link, or by name; and cursors. */

import { atPath, isObject, type JsonObject, type LinkValue } from '@contract-first/contract'
import { unescapePointer } from '@contract-first/engine/json'
import { withValueAt } from '../../samples/paths.ts'
import { type Draft, type Subject, sourceOf } from '../../samples/requests/draft.ts'
import { withPart } from './draft-part.ts'

/** More than the requests by chance for an operation, so that each has another id. */
const maxKept = 240

export class KnownValues {
  readonly #byName = new Map<string, unknown[]>()
  /** Values that identify a resource that was created and not deleted. */
  readonly #alive = new Set<string>()
  /** Values in the request of a finding: they are not deleted, so that the request shows the same again. */
  readonly #kept = new Set<string>()

  /**
   * Learns from a success: the values sent and the values received.
   * @param isCreated true when the request created a resource
   */
  learn({ subject, body, values }: Draft, answer: unknown, isCreated: boolean): void {
    const { method, path } = subject.operation
    const resource = resourceOf(path)
    const collection = isCreated && method === 'POST' ? path : undefined
    for (const object of [body?.value, ...objectsIn(answer)])
      if (isObject(object)) this.#learnAll(resource, Object.entries(object), collection)
    if (method !== 'PUT') return
    const named = subject.parameters.map(({ spec }, index) => [spec.name, values[index]] as const)
    this.#learnAll(resource, named, isCreated ? parentOf(path) : undefined)
  }

  /** Learns the value of a link for a parameter of another operation. */
  learnLink(operationId: string, parameter: string, value: unknown): void {
    this.#add(`${operationId} ${parameter}`, value)
  }

  /** Forgets the resource of a successful DELETE. */
  forget({ subject, values }: Draft): void {
    const sent = new Set(values.filter((value) => value !== undefined).map(String))
    if (sent.size === 0) this.#alive.clear()
    for (const [name, list] of this.#byName) {
      const kept = list.filter((value) => !sent.has(String(value)))
      this.#byName.set(name, kept)
    }
    const key = aliveKeyOf({ subject, values })
    if (key !== undefined) this.#alive.delete(key)
  }

  /** Returns true when the path refers to a resource that was created and not deleted. */
  isAlive(draft: Draft): boolean {
    const key = aliveKeyOf(draft)
    return key !== undefined && this.#alive.has(key)
  }

  /** Returns how many values are known for the parameter of the path that has the fewest; Infinity without one. */
  countFor(subject: Subject): number {
    const inPath = subject.parameters.filter(({ spec }) => spec.in === 'path')
    return Math.min(Infinity, ...inPath.map(({ spec }) => this.#of(subject, spec.name).length))
  }

  /** Protects the resource in the path from deletion. */
  keep({ subject, values }: Draft): void {
    for (const [index, { spec }] of subject.parameters.entries())
      if (spec.in === 'path') this.#kept.add(String(values[index]))
  }

  /**
   * Returns the draft with known values in its parameters, and in the properties of its body that are named after
   * another resource. Equal names in path and body get equal values.
   * @param at chooses one of several
   */
  fed(draft: Draft, at: number): Draft {
    let fed = draft
    for (const [index, { spec }] of draft.subject.parameters.entries()) {
      const known = this.#of(draft.subject, spec.name)
      if (known.length > 0 && draft.values[index] !== undefined)
        fed = withPart(fed, index, known.at(-1 - (at % known.length)))
    }
    return withPathInBody(this.#fedBody(fed, at))
  }

  #fedBody(draft: Draft, at: number): Draft {
    return withProperties(draft, (name) => {
      const known = /(Id|_id|-id)$/.test(name) ? this.#byName.get(comparableName(name)) : undefined
      return known?.at(-1 - (at % known.length))
    })
  }

  #of({ operation }: Subject, parameter: string): readonly unknown[] {
    const name = comparableName(parameter)
    const names = [
      `${operation.operationId} ${parameter}`,
      ownName(ownerOf(operation.path, parameter), name),
      name
    ]
    const lists = names.map((key) => this.#byName.get(key) ?? [])
    const deletable = (value: unknown) => operation.method !== 'DELETE' || !this.#kept.has(String(value))
    return lists.map((list) => list.filter(deletable)).find((list) => list.length > 0) ?? []
  }

  /** @param collection where the members identify the created resource */
  #learnAll(
    resource: string,
    members: readonly (readonly [string, unknown])[],
    collection: string | undefined
  ): void {
    for (const [written, value] of members) {
      if (!['string', 'number', 'bigint'].includes(typeof value)) continue
      const name = comparableName(written)
      const own = ownName(resource, name)
      this.#add(own, value)
      if (name !== 'id') this.#add(name, value)
      if (collection !== undefined) this.#alive.add(`${collection} ${own} ${String(value)}`)
    }
  }

  #add(name: string, value: unknown): void {
    const list = this.#byName.get(name) ?? []
    if (list.some((other) => String(other) === String(value))) return
    const dropped = Math.max(
      0,
      list.findIndex((other) => typeof other !== 'bigint')
    )
    this.#byName.set(name, [...list.toSpliced(dropped, Number(list.length >= maxKept)), value])
  }
}

/** Returns the draft with the parameters of its path in the properties of the same names. */
export const withPathInBody = (draft: Draft): Draft =>
  withProperties(draft, (name) => {
    const index = draft.subject.parameters.findIndex(
      ({ spec }) => spec.in === 'path' && comparableName(spec.name) === comparableName(name)
    )
    return draft.values[index]
  })

/** @param nextOf returns undefined for a property that stays as it is */
function withProperties(draft: Draft, nextOf: (name: string) => unknown): Draft {
  const body = draft.body?.value
  if (!isObject(body)) return draft
  const changed = Object.keys(body).reduce<unknown>((value, name) => {
    const next = nextOf(name)
    return next === undefined ? value : withValueAt(value, [name], next)
  }, body)
  return withPart(draft, 'body', changed)
}

const ownName = (resource: string, name: string): string =>
  name.startsWith(resource) ? name : `${resource}${name}`
const parentOf = (path: string): string => path.replace(/\/[^/]*$/, '')

/** Returns the key of a path with one parameter, which follows a collection: `/pets/{id}`. */
function aliveKeyOf({ subject, values }: Pick<Draft, 'subject' | 'values'>): string | undefined {
  const { path } = subject.operation
  const index = subject.parameters.findIndex(
    ({ spec }) => spec.in === 'path' && path === `${parentOf(path)}/{${spec.name}}`
  )
  const spec = subject.parameters[index]?.spec
  const collection = parentOf(path)
  if (spec === undefined || collection.includes('{')) return undefined
  return `${collection} ${ownName(resourceOf(collection), comparableName(spec.name))} ${String(values[index])}`
}

/** Returns the answer itself, or the items of a list in it. */
function objectsIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer.slice(0, 5)
  if (!isObject(answer)) return []
  const lists = Object.values(answer).filter((value) => Array.isArray(value))
  return [answer, ...lists.flatMap((list) => (list as unknown[]).slice(0, 5))]
}

export const comparableName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the singular of the last literal segment: `pet` for `/pets` and `/pets/{id}`. */
export function resourceOf(path: string): string {
  const literals = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'))
  return singular(comparableName(literals.at(-1) ?? ''))
}

/** Returns the singular of the segment before the parameter: `pet` for `id` in `/pets/{id}/toys`. */
export function ownerOf(path: string, parameter: string): string {
  return resourceOf(path.slice(0, Math.max(0, path.indexOf(`{${parameter}}`))))
}

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<!s)s$/, '')

interface Linked {
  readonly operationId: string
  readonly parameter: string
  readonly value: unknown
}

interface Given {
  readonly draft: Draft
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body of the answer, integers exact. */
  readonly body: unknown
}

/** Returns the values of an exchange for the parameters of other operations (OpenAPI 3.1.0, section 4.8.20). */
export function linkedValues(given: Given): readonly Linked[] {
  return (sourceOf(given.draft.subject.declared, given.status)?.links ?? []).flatMap(
    ({ operation, parameters }) =>
      [...parameters].flatMap(([name, linked]) => {
        const value = evaluated(linked, given)
        if (operation === undefined || value === undefined) return []
        const parameter = name.replace(/^(path|query|querystring|header|cookie)\./, '')
        return [{ operationId: operation.id, parameter, value }]
      })
  )
}

/** Evaluates runtime expressions (OpenAPI 3.1.0, section 4.8.20.3); everything else is a constant. */
function evaluated(linked: LinkValue, { draft, headers, body }: Given): unknown {
  if ('value' in linked) return linked.value
  const [, place = '', rest = ''] =
    /^\$(response\.body|request\.body|response\.header|request\.\w+)[#.](.*)$/.exec(linked.expression) ?? []
  if (place === 'response.body') return atPointer(body, rest)
  if (place === 'request.body') return atPointer(draft.body?.value, rest)
  if (place === 'response.header') return headers[rest.toLowerCase()]
  const index = draft.subject.parameters.findIndex(
    ({ spec }) => place === `request.${spec.in}` && spec.name === rest
  )
  return draft.values[index]
}

const atPointer = (root: unknown, pointer: string): unknown =>
  atPath(root as JsonObject, pointer.split('/').slice(1).map(unescapePointer))

/** Names of texts in a query that a server has issued, and that no client makes. */
const cursorNames = /cursor|marker|continuation|page_?-?token|^next_?-?token$|(?:after|before)$/i

/** Returns the indices of the parameters that are cursors, and have a value. */
export function cursorsOf({ subject, values }: Draft): readonly number[] {
  return [...values.keys()].filter((index) => {
    const { spec, schema } = subject.parameters[index] ?? {}
    return (
      spec?.in === 'query' &&
      typeof values[index] === 'string' &&
      schema?.format === undefined &&
      cursorNames.test(spec.name)
    )
  })
}

/** Returns the request for the first page. */
export const withoutCursors = (draft: Draft): Draft =>
  cursorsOf(draft)
    .filter((index) => draft.subject.parameters[index]?.spec.required !== true)
    .reduce((first, index) => withPart(first, index, undefined), draft)
