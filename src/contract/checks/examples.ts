/** Finds the examples of schemas, parameters and bodies. */
import { schemaOf } from '../build/build-contract.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { resolved } from '../document/reference.ts'
import { type ContractNode, contractNodes } from '../document/walk.ts'
import type { LoadedContract } from '../load/load.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import type { Schema } from '../model/schema.ts'

interface Written {
  readonly schema: Json
  readonly value: Json
  /** Object or list that has the value, and its key there. */
  readonly holder: Json
  readonly key: string
}

/** An example as written, and the schema that it must fit. */
export interface ContractExample extends Omit<Written, 'schema'> {
  readonly schema: Schema
  readonly direction: 'request' | 'response'
  /** False for an example of a schema, which any message may have. */
  readonly isOfMessage: boolean
}

/** Returns the examples of a contract, and warnings about those that nothing reads. */
export function examplesIn(contract: LoadedContract): {
  readonly examples: readonly ContractExample[]
  readonly problems: readonly ContractProblem[]
} {
  const { document, locator } = contract
  const examples: ContractExample[] = []
  const problems: ContractProblem[] = []
  for (const each of contractNodes(document)) {
    if (isSchema(each) && isObject(own(each.node, 'examples')) && each.pointer !== '#/components')
      problems.push(locator.problem('warning', noList, each.node, 'examples', false))
    else
      for (const { schema, ...written } of examplesOf(each, document))
        examples.push({
          ...written,
          schema: schemaOf(contract.model, schema),
          direction: each.pointer.includes('/responses/') ? 'response' : 'request',
          isOfMessage: schema !== each.node
        })
  }
  return { examples, problems }
}

const noList = 'the examples of a schema are a list, and these are an object: they are not read'

/** Returns true for what may be a schema: no media type, no parameter, no header. */
const isSchema = ({ node, names, kind }: ContractNode): boolean =>
  names === undefined &&
  !['content', 'mediaTypes', 'headers'].includes(String(kind)) &&
  own(node, 'in') === undefined

function examplesOf(each: ContractNode, document: JsonObject): Written[] {
  const { node, names, kind } = each
  if (names !== undefined || kind === 'headers') return []
  const schema = isSchema(each) ? node : own(node, 'schema')
  const [single, several] = [own(node, 'example'), own(node, 'examples')]
  if (schema === undefined || (single === undefined && several === undefined)) return []
  const listed = isSchema(each) ? several : undefined
  const named = isSchema(each) ? {} : objectOf(several)
  return [
    ...(single === undefined ? [] : [{ schema, value: single, holder: node, key: 'example' }]),
    ...arrayOf(listed).map((value, index) => ({
      ...{ schema, value, holder: arrayOf(listed), key: String(index) }
    })),
    ...Object.values(named).flatMap((reference) => {
      const holder = resolved(document, reference)
      const key = own(holder, 'dataValue') === undefined ? 'value' : 'dataValue'
      const value = own(holder, key)
      return value === undefined ? [] : [{ schema, value, holder, key }]
    })
  ]
}
