/** Makes the body of failures from a schema: an instance of it, in which expressions of the failure replace values. */
import type { Failure } from '@contract-first/engine/errors'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../compile/document/json-value.ts'
import { atPointer, pointerOf } from '../compile/document/reference.ts'
import { plainInstance, withValueAt } from '../instances/plain-instance.ts'
import { bodyOf, Expression, expressionsIn, partsOf, type Template, type Way } from './error-template.ts'
import { candidatesFor, ranked, textBodies } from './expressions.ts'

/** Finds the enumerations in a schema, by the name of their property. */
const composing = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const single = ['items', 'additionalProperties', 'then', 'else']

function listedValues(schema: Json, document: JsonObject): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>()
  const seen = new Set<string>()
  const visit = (node: Json | undefined, name: string): void => {
    if (!isObject(node)) return
    const pointer = pointerOf(node)
    if (pointer !== undefined && !seen.has(`${pointer} ${name}`)) {
      seen.add(`${pointer} ${name}`)
      visit(atPointer(document, pointer), name)
    }
    const constant = own(node, 'const')
    const values = [...arrayOf(own(node, 'enum')), ...(constant === undefined ? [] : [constant])]
    if (values.length > 0) found.set(name, [...(found.get(name) ?? []), ...values])
    for (const [key, property] of Object.entries(objectOf(own(node, 'properties')))) visit(property, key)
    for (const keyword of composing) for (const part of arrayOf(own(node, keyword))) visit(part, name)
    for (const keyword of single) visit(own(node, keyword), name)
  }
  visit(schema, '')
  return found
}

interface Fitting {
  readonly document: JsonObject
  /** The compiled validator of the schema. */
  readonly accepts: (body: unknown) => boolean
  /** Failures with this body, with short and long messages. */
  readonly failures: readonly Failure[]
}

/** @returns undefined if no instance of the schema is found */
export function fitTemplate(schema: Json, fitting: Fitting): Template | undefined {
  const made = [true, false].flatMap((usesExamples) => {
    const { document, accepts } = fitting
    const options = { document, direction: 'response', accepts, seed: 1, usesExamples } as const
    const instance = plainInstance(schema, options)
    return instance === undefined ? [] : [new Fitter(schema, fitting).fit(instance)]
  })
  return made.toSorted((a, b) => worth(b) - worth(a))[0]
}

/** Rates a template; the message counts most. */
function worth(template: Template): number {
  const found = expressionsIn(template)
  return found.length + (found.some(({ reads }) => reads.includes('message')) ? 10 : 0)
}

class Fitter {
  readonly #fitting: Fitting
  readonly #listed: ReadonlyMap<string, readonly unknown[]>

  constructor(schema: Json, fitting: Fitting) {
    this.#fitting = fitting
    this.#listed = listedValues(schema, fitting.document)
  }

  fit(instance: Template): Template {
    let fitted = instance
    for (const [way, part] of partsOf(instance)) fitted = this.#shortened(fitted, way, part)
    for (const [way, part] of partsOf(fitted)) fitted = this.#improved(fitted, way, part)
    for (const [way, part] of partsOf(fitted)) fitted = this.#without(fitted, way, part)
    return fitted
  }

  /** Shortens lists to one item, which is enough. */
  #shortened(template: Template, way: Way, part: Template): Template {
    if (!Array.isArray(part) || part.length < 2 || !has(template, way)) return template
    const changed = withValueAt(template, way, part.slice(0, 1))
    return this.#fits(changed) ? changed : template
  }

  #improved(template: Template, way: Way, part: Template): Template {
    const name = way.at(-1) ?? ''
    if (typeof name !== 'string' || !has(template, way)) return template
    for (const candidate of this.#candidates(template, way, part)) {
      const changed = withValueAt(template, way, candidate)
      if (this.#fits(changed)) return changed
    }
    const table = this.#table(template, way, name)
    return table === undefined ? template : withValueAt(template, way, table)
  }

  #candidates(template: Template, way: Way, part: Template): readonly Template[] {
    const value = bodyOf(part, this.#fitting.failures[0] as Failure)
    if (way.length === 0) return typeof value === 'string' ? textBodies : []
    return candidatesFor(String(way.at(-1)), value, membersAt(template, way.slice(0, -1)))
  }

  /** Removes parts without a value from the failure, if the contract allows it. */
  #without(template: Template, way: Way, part: Template): Template {
    if (way.length === 0 || !has(template, way) || expressionsIn(part).length > 0) return template
    if (part === false || part === 'about:blank') return template
    const changed = withValueAt(template, way, undefined)
    return this.#fits(changed) ? changed : template
  }

  #fits(template: Template): boolean {
    const { failures, accepts } = this.#fitting
    return failures.every((failure) => accepts(bodyOf(template, failure)))
  }

  /** Looks the value up by the code of the failure, if the contract lists the values. */
  #table(template: Template, way: Way, name: string): Template | undefined {
    const { failures, accepts } = this.#fitting
    const listed = this.#listed.get(name) ?? []
    const values = new Map<string, unknown>()
    for (const failure of failures) {
      const isValid = (value: unknown) => accepts(bodyOf(withValueAt(template, way, value), failure))
      const best = ranked(listed, failure).find(isValid)
      if (best === undefined) return undefined
      values.set(failure.code, best)
    }
    const [first, ...others] = new Set(values.values())
    return others.length === 0 ? first : lookUp(name, values)
  }
}

const lookUp = (name: string, values: ReadonlyMap<string, unknown>): Expression =>
  new Expression('', ['code'], ({ code }) => values.get(code), { name, values })

const partAt = (template: Template, way: Way): Template | undefined =>
  partsOf(template).find(
    ([each]) => each.length === way.length && each.every((step, i) => step === way[i])
  )?.[1]

const has = (template: Template, way: Way): boolean => partAt(template, way) !== undefined

function membersAt(template: Template, way: Way): readonly string[] {
  const part = partAt(template, way)
  return isObject(part) ? Object.keys(part) : []
}
