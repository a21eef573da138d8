/** The one adapter for readers that still hold JSON of a document. It goes with the last of them. */
import type { Content, Contract } from '../model/contract.ts'
import { isObject, type Json, type JsonObject } from '../model/json.ts'
import { make, type Schema } from '../model/schema.ts'
import { isUnconstrained } from '../views/parts.ts'
import { builders } from './build-contract.ts'
import { ContentBuilder } from './contents.ts'
import { completeDiscriminators } from './discriminators.ts'
import { SchemaPrinter } from './print-schema.ts'
import type { SchemaBuilder } from './schemas.ts'

/** Returns the schema of a node of the document, or of one that is composed of such nodes and references. */
export function schemaOf(contract: Contract, node: Json): Schema {
  if (!isObject(node)) return make(node === false ? { never: true } : {}, contract)
  const builder = builderOf(contract)
  const schema = builder.schema(node, node, '')
  builder.finish()
  completeDiscriminators(builder.discriminated.splice(0), contract.components.schemas.values())
  return schema
}

/** Returns the node of a schema; for one that a reader has made, a node that is composed of those below it. */
export function nodeOf(contract: Contract, schema: Schema): Json {
  const { nodes } = builderOf(contract)
  const known = nodes.get(schema)
  if (known !== undefined) return known
  const printer = new SchemaPrinter(contract.components.schemas, nodes)
  const node = isUnconstrained(schema) || printer.schema(schema)
  nodes.set(schema, node)
  return node
}

/** Returns the content of a Media Type Object. */
export function contentOf(contract: Contract, mediaType: string, media: JsonObject): Content {
  const schemas = builderOf(contract)
  const contents = new ContentBuilder(schemas)
  const [content] = contents.contents({ content: { [mediaType]: media } })
  schemas.finish()
  contents.finish()
  return content as Content
}

function builderOf(contract: Contract): SchemaBuilder {
  const builder = builders.get(contract)
  if (builder === undefined) throw new Error('this contract was not made by buildContract')
  return builder
}
