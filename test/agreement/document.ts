/** One contract for many models: each is the body and the answer of an operation, or stands in every place for text. */
import { type Model, type Schema, SchemaWriter, type Version } from './model.ts'

export interface Models {
  readonly bodies: readonly Model[]
  readonly texts: readonly Model[]
}

export function documentOf({ bodies, texts }: Models, version: Version): object {
  const writer = new SchemaWriter(version)
  const paths = [
    ...bodies.map((model, index) => [
      `/bodies/${index}`,
      { post: bodyOperation(index, writer.schema(model)) }
    ]),
    ...texts.map((model, index) => [
      `/texts/${index}/{p}`,
      { post: textOperation(index, writer.schema(model)) }
    ])
  ]
  return {
    openapi: version,
    info: { title: 'Agreement', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: writer.components }
  }
}

const json = (schema: Schema) => ({ 'application/json': { schema } })

/**
 * Returns an operation with the schema as its body, as a parameter in JSON, as its answer and as a header of the
 * answer.
 */
function bodyOperation(index: number, schema: Schema): object {
  return {
    operationId: `body${index}`,
    parameters: [{ name: 'q', in: 'query', content: json(schema) }],
    requestBody: { required: true, content: json(schema) },
    responses: {
      200: {
        description: 'the same value',
        headers: { 'X-Value': { required: true, content: json(schema) } },
        content: json(schema)
      }
    }
  }
}

function textOperation(index: number, schema: Schema): object {
  const parameter = (name: string, place: string) => ({ name, in: place, required: true, schema })
  const form = { schema: { type: 'object', required: ['f'], properties: { f: schema } } }
  return {
    operationId: `text${index}`,
    parameters: [
      parameter('p', 'path'),
      parameter('q', 'query'),
      parameter('X-H', 'header'),
      parameter('c', 'cookie')
    ],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form }
    },
    responses: { 200: { description: 'the same value', headers: { 'X-Value': { required: true, schema } } } }
  }
}
