/**
 * Rewrites the schemas of server-sent events for handlers. The data of an event is text; where its schema is that of
 * another type, or says `contentMediaType: application/json`, handlers give and receive the value that the text holds. A
 * union may have events of both kinds: it becomes two forms, each without the events of the other one.
 */
import { bodyKind } from '@contract-first/engine/media-types'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../document/json-value.ts'
import { atPointer, pointerOf, resolved } from '../document/reference.ts'
import type { Shapes } from '../shapes/shape.ts'

/** Text; a value; text that holds JSON, whose schema is `contentSchema`. */
type Kind = 'text' | 'value' | 'json-text'

/** Kinds of data that a form takes. */
const taken = { text: new Set<Kind>(['text']), json: new Set<Kind>(['value', 'json-text']) } as const
type Form = keyof typeof taken

interface DataForm {
  readonly isText?: true
  readonly schema: Json
}

/** Lists of schemas of which each applies, or one does. */
const unions = ['anyOf', 'oneOf'] as const
const branches = ['then', 'else'] as const

/** Schema of data that branches describe. */
export const overridden: Json = Object.freeze({})

export class EventData {
  readonly #document: JsonObject
  readonly #shapes: Shapes

  constructor(document: JsonObject, shapes: Shapes) {
    this.#document = document
    this.#shapes = shapes
  }

  /** Returns the forms of data that has this schema. */
  forms(data: Json): DataForm[] {
    return formsOf(this.#dataKinds(data), (form) => this.#data(data, form))
  }

  /** Returns the forms of an event, an object with `data`. */
  formsOfEvent(event: Json): DataForm[] {
    return formsOf(this.#kinds(event), (form) => this.#event(event, form, new Set()))
  }

  /** Rewrites what stands for `data` in a schema of an event. Schemas that need no change stay shared. */
  #event(event: Json, form: Form, within: ReadonlySet<Json>): Json {
    if (!isObject(event) || within.has(event) || isPlain(this.#kinds(event), form)) return event
    const seen = new Set(within).add(event)
    const { $ref: _reference, ...others } = event
    const data = dataOf(event)
    const parts = this.#parts(event)
    // Data of the other form beside branches with data of this form says what the text is, not what it holds.
    const isDropped =
      data !== undefined &&
      this.#dataKinds(data).isDisjointFrom(taken[form]) &&
      parts.some((part) => !this.#kinds(part).isDisjointFrom(taken[form]))
    const rewrite = (part: Json) => this.#event(part, form, seen)
    const branch = (part: Json) =>
      isDropped && this.#kinds(part).isDisjointFrom(taken[form])
        ? { allOf: [rewrite(part), { properties: { data: false } }] }
        : rewrite(part)
    const allOf = [...this.#target(event), ...arrayOf(own(event, 'allOf'))].map(rewrite)
    return {
      ...others,
      ...(data !== undefined && {
        properties: {
          ...objectOf(own(event, 'properties')),
          data: isDropped ? overridden : this.#data(data, form)
        }
      }),
      ...(allOf.length > 0 && { allOf }),
      ...mapped(event, unions, (list) => arrayOf(list).map(branch)),
      ...mapped(event, branches, branch)
    }
  }

  /** Rewrites the schema of data; that of the other form becomes `false`. */
  #data(data: Json, form: Form, within: ReadonlySet<Json> = new Set()): Json {
    const kinds = this.#dataKinds(data)
    const schema = resolved(this.#document, data)
    if (isPlain(kinds, form) || within.has(schema)) return data
    const holder = this.#jsonText(schema)
    if (holder !== undefined) return form === 'text' ? false : this.#content(schema, holder)
    if (kinds.isDisjointFrom(taken[form])) return false
    const seen = new Set(within).add(schema)
    const rewrite = (part: Json) => this.#data(part, form, seen)
    return { ...schema, ...mapped(schema, unions, (list) => arrayOf(list).map(rewrite)) }
  }

  /** @param holder the schema with `contentMediaType` */
  #content(schema: JsonObject, holder: JsonObject): Json {
    const content = own(holder, 'contentSchema') ?? true
    const isNullable = this.#shapes.of([schema]).types?.has('null') === true
    return isNullable ? { anyOf: [content, { type: 'null' }] } : content
  }

  /** Returns the kinds of data that an event may have. */
  #kinds(event: Json, seen = new Set<Json>()): Set<Kind> {
    if (!isObject(event) || seen.has(event)) return new Set()
    seen.add(event)
    const data = dataOf(event)
    const own = data === undefined ? [] : this.#dataKinds(data)
    return new Set([...own, ...this.#parts(event).flatMap((part) => [...this.#kinds(part, seen)])])
  }

  #parts(event: JsonObject): Json[] {
    const lists = ['allOf', ...unions].flatMap((key) => arrayOf(own(event, key)))
    const single = branches.map((key) => own(event, key)).filter((part) => part !== undefined)
    return [...this.#target(event), ...lists, ...single]
  }

  #target(schema: JsonObject): Json[] {
    const pointer = pointerOf(schema)
    return pointer === undefined ? [] : [objectOf(atPointer(this.#document, pointer))]
  }

  #dataKinds(data: Json, seen: ReadonlySet<Json> = new Set()): Set<Kind> {
    const schema = resolved(this.#document, data)
    if (this.#jsonText(schema) !== undefined) return new Set(['json-text'])
    const parts = seen.has(schema) ? [] : unions.flatMap((key) => arrayOf(own(schema, key)))
    if (parts.length > 0)
      return new Set(parts.flatMap((part) => [...this.#dataKinds(part, new Set(seen).add(schema))]))
    const { types } = this.#shapes.of([data])
    const isText = types?.has('string') === true && types.isSubsetOf(new Set(['string', 'null']))
    return new Set([isText ? 'text' : 'value'])
  }

  /** Returns the schema that says that the text is JSON: this one, or a part of its `allOf`. */
  #jsonText(schema: JsonObject): JsonObject | undefined {
    const parts = arrayOf(own(schema, 'allOf')).map((part) => resolved(this.#document, part))
    return [schema, ...parts].find(
      (part) => bodyKind(stringOf(own(part, 'contentMediaType')) ?? '') === 'json'
    )
  }
}

function formsOf(kinds: ReadonlySet<Kind>, schemaIn: (form: Form) => Json): DataForm[] {
  const isText = !kinds.isDisjointFrom(taken.text)
  const isJson = !isText || !kinds.isDisjointFrom(taken.json)
  return [
    ...(isText ? [{ isText: true, schema: schemaIn('text') } as const] : []),
    ...(isJson ? [{ schema: schemaIn('json') }] : [])
  ]
}

/** Returns true for a schema that is the same for handlers as in the contract. */
const isPlain = (kinds: ReadonlySet<Kind>, form: Form): boolean =>
  kinds.isSubsetOf(new Set<Kind>([form === 'text' ? 'text' : 'value']))

const dataOf = (event: JsonObject): Json | undefined => own(objectOf(own(event, 'properties')), 'data')

/** Returns the members of an object that it has, rewritten. */
function mapped(object: JsonObject, keys: readonly string[], rewrite: (value: Json) => Json): JsonObject {
  const members = keys.flatMap((key) => {
    const value = own(object, key)
    return value === undefined ? [] : [[key, rewrite(value)] as const]
  })
  return Object.fromEntries(members)
}
