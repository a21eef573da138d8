/** Builds the model of a contract from its document. */
import type { Contract } from '../model/contract.ts'
import { isObject, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import type { Place, Places } from '../model/origin.ts'
import { make, type Schema } from '../model/schema.ts'
import { ContentBuilder } from './contents.ts'
import { completeDiscriminators } from './discriminators.ts'
import { extensionsOf, type Mutable, SourceDocument, textsOf } from './document.ts'
import { OperationBuilder } from './operations.ts'
import { SchemaBuilder } from './schemas.ts'
import { SecurityBuilder, serversOf, tagsOf } from './security.ts'
import { endSelfApplication } from './self-application.ts'

/**
 * @param root a document whose references all begin with `#/`; it must not change afterwards, because values of the model
 *   belong to it
 * @param places finds the places of its nodes
 */
export function buildContract(root: JsonObject, places: Places): Contract {
  const document = new SourceDocument(root, places)
  const schemas = new SchemaBuilder(document)
  const contents = new ContentBuilder(schemas)
  const security = new SecurityBuilder(document)
  const servers = serversOf(root, document)
  const operations = new OperationBuilder(document, contents, security, servers)
  const built = operations.build()
  const components = {
    schemas: namedSchemas(schemas),
    parameters: named(document, 'parameters', (value) => operations.parameter(value)),
    headers: named(document, 'headers', (value) => contents.header(value)),
    bodies: named(document, 'requestBodies', (value) => contents.body(value)),
    responses: named(document, 'responses', (value) => operations.response(value)),
    securitySchemes: security.schemes
  }
  schemas.finish()
  endSelfApplication(schemas)
  completeDiscriminators(schemas.discriminated.splice(0), components.schemas.values())
  contents.finish()
  operations.finish()
  const info = objectOf(own(root, 'info'))
  const contract: Contract = {
    title: String(own(info, 'title') ?? ''),
    version: String(own(info, 'version') ?? ''),
    ...textsOf(info, 'description'),
    servers: servers ?? [],
    tags: tagsOf(root, document),
    ...built,
    components,
    hasWholeFractions: !String(own(root, 'openapi')).startsWith('3.0'),
    schemas: schemas.schemas,
    extensions: extensionsOf(root),
    problems: document.problems,
    origin: document.origin(root)
  }
  builders.set(contract, schemas)
  return contract
}

const builders = new WeakMap<Contract, SchemaBuilder>()

/**
 * Returns the schema of a node of the document, or of one that is composed of such nodes and references. It is for
 * readers that still hold JSON, and goes with the last of them.
 */
export function schemaOf(contract: Contract, node: Json): Schema {
  const builder = builders.get(contract)
  if (builder === undefined) throw new Error('this contract was not made by buildContract')
  if (!isObject(node)) return make(node === false ? { never: true } : {}, contract)
  const schema = builder.schema(node, node, '')
  builder.finish()
  completeDiscriminators(builder.discriminated.splice(0), contract.components.schemas.values())
  return schema
}

function namedSchemas(builder: SchemaBuilder): Map<string, Schema> {
  const section = builder.document.components('schemas')
  return new Map(
    Object.entries(section).map(([name, value]) => {
      const schema: Mutable<Schema> = builder.schema(value, section, name)
      schema.name = name
      return [name, schema]
    })
  )
}

function named<Node>(
  document: SourceDocument,
  section: string,
  read: (value: JsonObject[string]) => Node | undefined
): Map<string, Node> {
  const found = new Map<string, Node>()
  for (const [name, value] of Object.entries(document.components(section))) {
    const node = read(value)
    if (node !== undefined) found.set(name, node)
  }
  return found
}

const models = new WeakMap<JsonObject, Contract>()

/** Returns the model of a document, the same one for the same document. */
export function modelIn(document: JsonObject, places: Places = () => nowhere): Contract {
  const model = models.get(document) ?? buildContract(document, places)
  models.set(document, model)
  return model
}

const nowhere: Place = { file: '', pointer: '#', line: 1, column: 1 }

/** Returns the schema of a node, for readers that hold a document as JSON. */
export const schemaIn = (document: JsonObject, node: Json): Schema => schemaOf(modelIn(document), node)
