/** Models of small contracts. */
import {
  buildContract,
  type Contract,
  type JsonObject,
  type Place,
  type Schema
} from '../../src/contract/contract.ts'

/** Returns the model of a document; pointers of its places are made of the keys below the node. */
export function contractOf(document: object): Contract {
  const pointers = new Map<object, string>()
  const pending: [unknown, string][] = [[document, '#']]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, pointer] = next
    if (typeof node !== 'object' || node === null) continue
    pointers.set(node, pointer)
    for (const [key, value] of Object.entries(node)) pending.push([value, `${pointer}/${key}`])
  }
  const places = (node: object, keys: readonly string[]): Place => ({
    ...{ file: '/openapi.yaml', line: 1, column: 1 },
    pointer: [pointers.get(node), ...keys].join('/')
  })
  return buildContract(
    { openapi: '3.1.0', info: { title: 'A', version: '1' }, ...document } as JsonObject,
    places
  )
}

/** Returns the schema, with others beside it. */
export function schemaOf(schema: unknown, schemas: object = {}): Schema {
  const { components } = contractOf({ components: { schemas: { ...schemas, Subject: schema } } })
  const found = components.schemas.get('Subject')
  if (found === undefined) throw new Error('no schema')
  return found
}
