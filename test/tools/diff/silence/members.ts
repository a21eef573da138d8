/** Everything in a document that has members by name, and flags of each: `of` makes the document with some of them. */
import { withOperation, withSchema } from '../pairs/documents.ts'
import type { Node } from './places.ts'

export interface Members {
  readonly what: string
  readonly of: (names: readonly string[]) => Node
  /** True when a client may notice that a member is gone, or that it is new. */
  readonly hurts: 'removed' | 'added' | 'both' | 'neither'
  /** Text of the change of a member: its name by default. */
  readonly shown?: (name: string) => string
}

const text = { type: 'string' }
const ok = { description: 'OK' }
const json = { 'application/json': { schema: text } }
const named = (names: readonly string[], member: (name: string) => unknown): Node =>
  Object.fromEntries(names.map((name) => [name, member(name)]))
const all = ['ann', 'bob', 'cat', 'zoe']
/** Returns a member for every name, with a flag for some of them. */
const flagged = (names: readonly string[], flag: Node, member: Node = {}) =>
  named(all, (name) => ({ ...member, ...(names.includes(name) ? flag : {}) }))

const parameters = (names: readonly string[], where: string, more: Node = {}) => ({
  parameters: names.map((name) => ({ name, in: where, schema: text, ...more }))
})
const flags =
  (where: string, flag: Node, schema: Node = text) =>
  (names: readonly string[]) => ({
    parameters: Object.entries(flagged(names, flag, { in: where, schema })).map(([name, node]) => ({
      name,
      ...(node as Node)
    }))
  })
const answer = (more: Node) => ({ responses: { 200: { ...ok, ...more } } })
const object = (properties: Node, more: Node = {}) => ({ type: 'object', properties, ...more })
const form = (encoding: Node, field: Node = text) => ({
  content: { 'multipart/form-data': { schema: object(named(all, () => field)), encoding } }
})

type Operation = (names: readonly string[]) => Node

/** Members of an operation: what hurts when a client sends the requests, and when the server does. */
const operations: readonly (readonly [
  what: string,
  of: Operation,
  sent: Members['hurts'],
  received: Members['hurts']
])[] = [
  ...['query', 'header', 'cookie'].flatMap(
    (where): [string, Operation, Members['hurts'], Members['hurts']][] => [
      [`optional ${where} parameters`, (names) => parameters(names, where), 'removed', 'removed'],
      [
        `required ${where} parameters`,
        (names) => parameters(names, where, { required: true }),
        'both',
        'removed'
      ],
      [`required of ${where} parameters`, flags(where, { required: true }), 'added', 'removed'],
      [`deprecated of ${where} parameters`, flags(where, { deprecated: true }), 'neither', 'neither']
    ]
  ),
  ['allowReserved', flags('query', { allowReserved: true }), 'removed', 'both'],
  ['allowEmptyValue', flags('query', { allowEmptyValue: true }), 'removed', 'both'],
  ['explode', flags('query', { explode: false }, { type: 'array', items: text }), 'both', 'both'],
  ['style', flags('query', { style: 'deepObject' }, { type: 'object' }), 'both', 'both'],
  ['content of parameters', flags('header', { schema: undefined, content: json }), 'both', 'both'],
  [
    'media types of requests',
    (names) => ({ requestBody: { content: named(names, () => ({ schema: text })) } }),
    'removed',
    'both'
  ],
  [
    'encodings',
    (names) => ({ requestBody: form(named(names, () => ({ contentType: 'image/png' }))) }),
    'both',
    'both'
  ],
  [
    'explode of encodings of lists',
    (names) => ({ requestBody: form(flagged(names, { explode: false }), { type: 'array', items: text }) }),
    'both',
    'both'
  ],
  [
    'headers of parts',
    (names) => ({ requestBody: form({ zoe: { headers: named(names, () => ({ schema: text })) } }) }),
    'removed',
    'removed'
  ],
  [
    'required headers of parts',
    (names) => ({
      requestBody: form({ zoe: { headers: flagged(names, { required: true }, { schema: text }) } })
    }),
    'added',
    'both'
  ],
  [
    'media types of answers',
    (names) => answer({ content: named(names, () => ({ schema: text })) }),
    'both',
    'both'
  ],
  [
    'encodings of answers',
    (names) => answer(form(named(names, () => ({ contentType: 'image/png' })))),
    'both',
    'both'
  ],
  ['headers', (names) => answer({ headers: named(names, () => ({ schema: text })) }), 'removed', 'both'],
  [
    'required headers',
    (names) => answer({ headers: flagged(names, { required: true }, { schema: text }) }),
    'removed',
    'both'
  ],
  [
    'deprecated headers',
    (names) => answer({ headers: flagged(names, { deprecated: true }, { schema: text }) }),
    'neither',
    'neither'
  ],
  [
    'headers with content',
    (names) => answer({ headers: flagged(names, { schema: undefined, content: json }, { schema: text }) }),
    'both',
    'both'
  ],
  ['links', (names) => answer({ links: named(names, () => ({ operationId: 'a' })) }), 'removed', 'both'],
  [
    'targets of links',
    (names) => answer({ links: flagged(names, { operationId: 'x' }, { operationId: 'y' }) }),
    'both',
    'both'
  ],
  [
    'bodies of statuses',
    (names) => ({
      responses: {
        201: ok,
        202: ok,
        ...named(
          names.map((name) => statuses[name] ?? ''),
          () => ({ ...ok, content: json })
        )
      }
    }),
    'added',
    'both'
  ]
]

const statuses: Readonly<Record<string, string>> = { ann: '400', bob: '401', cat: '402', zoe: '403' }

const event = '{$request.query.url}'
const ways: readonly (readonly [where: string, of: (operation: Node) => Node])[] = [
  ['an operation', (operation) => withOperation(operation)],
  ['a webhook', (post) => withOperation({}, { webhooks: { event: { post } } })],
  ['a callback', (post) => withOperation({ callbacks: { done: { [event]: { post } } } })]
]

/** Members of a schema, which requests have: answers are the reverse. */
const schemas: readonly (readonly [
  what: string,
  of: (names: readonly string[], role: 'request' | 'response') => Node,
  hurts: Members['hurts']
])[] = [
  ['optional properties', (names) => object(named(names, () => text)), 'removed'],
  [
    'properties of a closed object',
    (names) =>
      object(
        named(names, () => text),
        { additionalProperties: false }
      ),
    'removed'
  ],
  [
    'required properties',
    (names) =>
      object(
        named(names, () => text),
        { required: names }
      ),
    'added'
  ],
  [
    'required',
    (names) =>
      object(
        named(all, () => text),
        { required: names }
      ),
    'added'
  ],
  ['maxLength', (names) => object(flagged(names, { maxLength: 5 }, text)), 'added'],
  ['default', (names) => object(flagged(names, { default: 'a' }, text)), 'both'],
  ['deprecated', (names) => object(flagged(names, { deprecated: true }, text)), 'neither'],
  ['xml', (names) => object(flagged(names, { xml: { name: 'x' } }, text)), 'both'],
  [
    'readOnly or writeOnly',
    (names, role) => object(flagged(names, { [role === 'request' ? 'readOnly' : 'writeOnly']: true }, text)),
    'added'
  ],
  [
    'properties that are flagged like all others',
    (names, role) => {
      const member = { ...text, [role === 'request' ? 'readOnly' : 'writeOnly']: true }
      return object(
        named(names, () => member),
        { required: all, additionalProperties: member }
      )
    },
    'both'
  ],
  [
    'patternProperties',
    (names) =>
      object(
        {},
        {
          patternProperties: named(
            names.map((name) => `^${name}`),
            () => text
          )
        }
      ),
    'removed'
  ],
  ['dependentRequired', (names) => object({}, { dependentRequired: { q: names } }), 'added'],
  ['enum', (names) => ({ enum: names }), 'removed'],
  [
    'prefixItems',
    (names) => ({
      type: 'array',
      prefixItems: all.map((name) => (names.includes(name) ? { ...text, maxLength: 5 } : text))
    }),
    'added'
  ],
  [
    'alternatives',
    (names) => ({ oneOf: names.map((name) => object({ kind: { const: name } }, { required: ['kind'] })) }),
    'removed'
  ],
  [
    'values of a discriminator',
    (names) => ({
      oneOf: [object({ kind: text })],
      discriminator: { propertyName: 'kind', mapping: named(names, () => 'Kind') }
    }),
    'removed'
  ]
]

const positions: Readonly<Record<string, string>> = { ann: '0', bob: '1', cat: '2', zoe: '3' }

const https = (names: readonly string[]) => names.map((name) => ({ url: `https://${name}.example` }))
const schemes = named(all, (name) => ({ type: 'apiKey', in: 'header', name }))
const oauth = (
  flow: (name: string) => Node,
  names = ['authorizationCode', 'password', 'clientCredentials']
) =>
  withOperation(
    { security: [{ o: [] }] },
    { components: { securitySchemes: { o: { type: 'oauth2', flows: named(names, flow) } } } }
  )
const flows: Readonly<Record<string, string>> = {
  ann: 'authorizationCode',
  bob: 'password',
  cat: 'clientCredentials',
  zoe: 'implicit'
}
const flowOf = (name: string): string => flows[name] ?? ''

const documents: readonly Members[] = [
  { what: 'servers', of: (names) => withOperation({}, { servers: https(names) }), hurts: 'removed' },
  {
    what: 'servers of an operation',
    of: (names) => withOperation({ servers: https(names) }),
    hurts: 'removed'
  },
  {
    what: 'base paths',
    of: (names) =>
      withOperation(
        {},
        {
          servers: all.map((name) => ({ url: `https://${name}.example/${names.includes(name) ? '' : 'v1'}` }))
        }
      ),
    hurts: 'both'
  },
  {
    what: 'security alternatives',
    of: (names) =>
      withOperation(
        { security: names.map((name) => ({ [name]: [] })) },
        { components: { securitySchemes: schemes } }
      ),
    hurts: 'removed'
  },
  {
    what: 'security schemes at once',
    of: (names) =>
      withOperation({ security: [named(names, () => [])] }, { components: { securitySchemes: schemes } }),
    hurts: 'added'
  },
  {
    what: 'OAuth flows',
    of: (names) => oauth(() => ({ tokenUrl: 'https://a.example' }), names.map(flowOf)),
    hurts: 'removed',
    shown: flowOf
  },
  {
    what: 'URLs of OAuth flows',
    of: (names) =>
      oauth(
        (flow) => ({
          tokenUrl: names.map(flowOf).includes(flow) ? 'https://a.example' : 'https://b.example'
        }),
        all.map(flowOf)
      ),
    hurts: 'both',
    shown: flowOf
  },
  {
    what: 'paths',
    of: (names) => ({
      ...withOperation({}),
      paths: named(
        names.map((name) => `/${name}`),
        () => ({ get: { responses: {} } })
      )
    }),
    hurts: 'removed'
  },
  {
    what: 'webhooks',
    of: (names) => withOperation({}, { webhooks: named(names, () => ({ post: { responses: {} } })) }),
    hurts: 'removed'
  },
  {
    what: 'callbacks',
    of: (names) =>
      withOperation({ callbacks: named(names, () => ({ [event]: { post: { responses: {} } } })) }),
    hurts: 'removed'
  }
]

/** Edits that hurt clients that read a member, where they are not the reverse of those that hurt senders. */
const unlike: ReadonlyMap<string, Members['hurts']> = new Map([
  ['optional properties', 'removed'],
  ['patternProperties', 'removed'],
  ['readOnly or writeOnly', 'added'],
  ['properties that are flagged like all others', 'added']
])

const reversed = { removed: 'added', added: 'removed', both: 'both', neither: 'neither' } as const

export const members: readonly Members[] = [
  ...operations.flatMap(([what, of, sent, received]) =>
    ways.map(
      ([where, documentOf], index): Members => ({
        what: `${what} of ${where}`,
        of: (names) => documentOf({ ...of(names) }),
        hurts: index === 0 ? sent : received,
        ...(what === 'bodies of statuses' ? { shown: (name: string) => statuses[name] ?? '' } : {})
      })
    )
  ),
  ...schemas.flatMap(([what, of, hurts]) =>
    (['request', 'response'] as const).map(
      (role): Members => ({
        what: `${what} of a ${role}`,
        of: (names) =>
          withSchema(role, of(names, role), { components: { schemas: { Kind: { type: 'object' } } } }),
        hurts: role === 'request' ? hurts : (unlike.get(what) ?? reversed[hurts]),
        ...(what === 'prefixItems' ? { shown: (name: string) => positions[name] ?? '' } : {})
      })
    )
  ),
  ...documents
]
