/** Generated contracts: operations that share all of their components, and schemas in one long cycle. */

const components = {
  parameters: {
    filter: {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      schema: {
        type: 'object',
        required: ['words'],
        properties: {
          words: {
            type: 'array',
            minItems: 1,
            maxItems: 9,
            items: { type: 'string', pattern: '^a-shared-pattern-1' }
          },
          from: { type: 'string', format: 'date', minLength: 10, maxLength: 10 },
          to: { type: 'string', format: 'date', minLength: 10, maxLength: 10 }
        },
        additionalProperties: false
      }
    }
  },
  headers: {
    limit: { required: true, schema: { type: 'string', pattern: '^a-shared-pattern-2' } },
    rest: { required: true, schema: { type: 'string', pattern: '^a-shared-pattern-3' } }
  },
  requestBodies: {
    thing: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'integer', format: 'int64' },
              name: { type: 'string', pattern: '^a-shared-pattern-4' }
            }
          }
        }
      }
    }
  },
  responses: {
    thing: {
      description: 'a thing',
      headers: {
        limit: { $ref: '#/components/headers/limit' },
        rest: { $ref: '#/components/headers/rest' }
      },
      content: {
        'application/json': {
          schema: { type: 'object', properties: { name: { type: 'string', pattern: '^a-shared-pattern-5' } } }
        }
      }
    }
  }
}

const head = { openapi: '3.1.0', info: { title: 'Shared', version: '1' } }

/** @param count number of operations */
export function sharedComponents(count: number): object {
  const paths = Array.from({ length: count }, (_, index) => [
    `/things-${index}`,
    {
      post: {
        operationId: `post${index}`,
        parameters: [{ $ref: '#/components/parameters/filter' }],
        requestBody: { $ref: '#/components/requestBodies/thing' },
        responses: {
          200: { $ref: '#/components/responses/thing' },
          default: { $ref: '#/components/responses/thing' }
        }
      }
    }
  ])
  return { ...head, paths: Object.fromEntries(paths), components }
}

/** @param length number of schemas; each refers to the next one, the last one to the first */
export function schemaChain(length: number): Record<string, unknown> {
  const reference = (index: number) => ({ $ref: `#/components/schemas/S${index % length}` })
  const schemas = Array.from({ length }, (_, index) => [
    `S${index}`,
    {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', format: 'int64', minimum: index }, next: reference(index + 1) }
    }
  ])
  const content = { 'application/json': { schema: reference(0) } }
  const responses = { 200: { description: 'a', content } }
  const post = { operationId: 'post', requestBody: { content }, responses }
  return { ...head, paths: { '/things': { post } }, components: { schemas: Object.fromEntries(schemas) } }
}
