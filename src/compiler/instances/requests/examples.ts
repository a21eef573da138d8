/** The examples of a Parameter, Media Type or Header Object (OpenAPI 3.1.0, sections 4.8.12, 4.8.14 and 4.8.19). */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../../compile/document/json-value.ts'
import { resolved } from '../../compile/document/reference.ts'

export interface Example {
  /** Name of the example; undefined for the value of `example`. */
  readonly name: string | undefined
  /** Value; undefined for an example that is kept elsewhere (`externalValue`). */
  readonly value: Json | undefined
}

/** @returns `example` first, then the named ones in the order of the contract */
export function examplesOf(node: JsonObject, document: JsonObject): readonly Example[] {
  const single = own(node, 'example')
  const named = Object.entries(objectOf(own(node, 'examples'))).map(([name, written]) => {
    const example = resolved(document, written)
    const value = own(example, 'value') ?? own(example, 'dataValue') ?? own(example, 'serializedValue')
    return { name, value }
  })
  return [...(single === undefined ? [] : [{ name: undefined, value: single }]), ...named]
}

interface Holder {
  /** The Parameter or Media Type Object. */
  readonly node: JsonObject
  readonly schema: Json
}

/** Returns the first example, otherwise that of the schema, or its default (JSON Schema 2020-12, section 9). */
export function firstExample({ node, schema }: Holder, document: JsonObject): Json | undefined {
  const target = resolved(document, schema)
  const ofSchema = [own(target, 'example'), ...arrayOf(own(target, 'examples')), own(target, 'default')]
  const given = examplesOf(node, document).map(({ value }) => value)
  return [...given, ...ofSchema].find((value) => value !== undefined)
}
