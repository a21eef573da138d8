/** The examples of a Media Type Object or a Header Object (OpenAPI 3.1.0, sections 4.8.14 and 4.8.19). */
import { type Json, type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { resolved } from '../compile/document/reference.ts'

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
