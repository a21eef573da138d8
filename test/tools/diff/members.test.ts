/** No member of any object of a document is new, gone or otherwise without a line, also where several are at once. */
import t from 'tap'
import type { Report } from '../../../src/tools/diff/diff.ts'
import { blocksOf, compared, documentOf, type Node, readYaml, withSchema } from './rows.ts'

/**
 * Members of an operation, by name: `‹…›` is there for each name, `«…»` only for some names, and what is behind `|` for
 * the others. The last line says which edit may hurt a client: of requests that it sends, of those that it receives.
 */
const operations = `
optional WHERE parameters: { parameters: [‹«{ name: NAME, in: WHERE, schema: @text }»›] }
  removed, removed
required WHERE parameters: { parameters: [‹«{ name: NAME, in: WHERE, schema: @text, required: true }»›] }
  both, removed
required of WHERE parameters: { parameters: [‹{ name: NAME, in: WHERE, schema: @text«, required: true» }›] }
  added, removed
deprecated of WHERE parameters: { parameters: [‹{ name: NAME, in: WHERE, schema: @text«, deprecated: true» }›] }
  neither, neither
allowReserved: { parameters: [‹{ name: NAME, in: query, schema: @text«, allowReserved: true» }›] }
  removed, both
allowEmptyValue: { parameters: [‹{ name: NAME, in: query, schema: @text«, allowEmptyValue: true» }›] }
  removed, both
explode: { parameters: [‹{ name: NAME, in: query, schema: @list«, explode: false» }›] }
  both, both
style: { parameters: [‹{ name: NAME, in: query, schema: { type: object }«, style: deepObject» }›] }
  both, both
content of parameters: { parameters: [‹{ name: NAME, in: header, «content: json(@text)|schema: @text» }›] }
  both, both
media types of requests: { requestBody: { content: { ‹«NAME: { schema: @text }»› } } }
  removed, both
encodings
  { requestBody: { content: { @parts: { schema: { type: object, properties: { ‹NAME: @text› } },
    encoding: { ‹«NAME: { contentType: image/png }»› } } } } }
  both, both
explode of encodings of lists
  { requestBody: { content: { @parts: { schema: { type: object, properties: { ‹NAME: @list› } },
    encoding: { ‹NAME: {« explode: false »}› } } } } }
  both, both
headers of parts
  { requestBody: { content: { @parts: { schema: { type: object, properties: { ‹NAME: @text› } },
    encoding: { zoe: { headers: { ‹«NAME: { schema: @text }»› } } } } } } }
  removed, removed
required headers of parts
  { requestBody: { content: { @parts: { schema: { type: object, properties: { ‹NAME: @text› } },
    encoding: { zoe: { headers: { ‹NAME: { schema: @text«, required: true» }› } } } } } } }
  added, both
media types of answers: { responses: { 200: { content: { ‹«NAME: { schema: @text }»› } } } }
  both, both
encodings of answers
  { responses: { 200: { content: { @parts: { schema: { type: object, properties: { ‹NAME: @text› } },
    encoding: { ‹«NAME: { contentType: image/png }»› } } } } } }
  both, both
headers: { responses: { 200: { headers: { ‹«NAME: { schema: @text }»› } } } }
  removed, both
required headers: { responses: { 200: { headers: { ‹NAME: { schema: @text«, required: true» }› } } } }
  removed, both
deprecated headers: { responses: { 200: { headers: { ‹NAME: { schema: @text«, deprecated: true» }› } } } }
  neither, neither
headers with content: { responses: { 200: { headers: { ‹NAME: { «content: json(@text)|schema: @text» }› } } } }
  both, both
links: { responses: { 200: { links: { ‹«NAME: { operationId: a }»› } } } }
  removed, both
targets of links: { responses: { 200: { links: { ‹NAME: { operationId: «x|y» }› } } } }
  both, both
bodies of statuses: { responses: { 201: @ok, 202: @ok, ‹«STATUS: { content: json(@text) }»› } }
  added, both
`

/** Members of a schema, and the edits that may hurt in requests and in answers. */
const schemas = `
optional properties: { type: object, properties: { ‹«NAME: @text»› } }
  removed, removed
properties of a closed object: { type: object, properties: { ‹«NAME: @text»› }, additionalProperties: false }
  removed, added
required properties: { type: object, properties: { ‹«NAME: @text»› }, required: [‹«NAME»›] }
  added, removed
required: { type: object, properties: { ‹NAME: @text› }, required: [‹«NAME»›] }
  added, removed
maxLength: { type: object, properties: { ‹NAME: { type: string«, maxLength: 5» }› } }
  added, removed
default: { type: object, properties: { ‹NAME: { type: string«, default: a» }› } }
  both, both
deprecated: { type: object, properties: { ‹NAME: { type: string«, deprecated: true» }› } }
  neither, neither
xml: { type: object, properties: { ‹NAME: { type: string«, xml: { name: x }» }› } }
  both, both
readOnly or writeOnly: { type: object, properties: { ‹NAME: { type: string«, FLAG: true» }› } }
  added, added
properties that are flagged like all others
  { type: object, properties: { ‹«NAME: { type: string, FLAG: true }»› }, required: [‹NAME›],
    additionalProperties: { type: string, FLAG: true } }
  both, added
patternProperties: { type: object, patternProperties: { ‹«^NAME: @text»› } }
  removed, removed
dependentRequired: { type: object, dependentRequired: { q: [‹«NAME»›] } }
  added, removed
enum: { enum: [‹«NAME»›] }
  removed, added
prefixItems: { type: array, prefixItems: [‹{ type: string«, maxLength: 5» }›] }
  added, removed
alternatives: { oneOf: [‹«{ type: object, properties: { kind: { const: NAME } }, required: [kind] }»›] }
  removed, added
values of a discriminator
  { oneOf: [{ type: object, properties: { kind: @text } }],
    discriminator: { propertyName: kind, mapping: { ‹«NAME: Kind»› } } }
  removed, added
`

/** Members of a document. */
const documents = `
servers: { document: { servers: [‹«{ url: 'https://NAME.example' }»›] } }
  removed
servers of an operation: { servers: [‹«{ url: 'https://NAME.example' }»›] }
  removed
base paths: { document: { servers: [‹{ url: 'https://NAME.example/«|v1»' }›] } }
  both
security alternatives
  { security: [‹«{ NAME: [] }»›],
    components: { securitySchemes: { ‹NAME: { type: apiKey, in: header, name: NAME }› } } }
  removed
security schemes at once
  { security: [{ ‹«NAME: []»› }],
    components: { securitySchemes: { ‹NAME: { type: apiKey, in: header, name: NAME }› } } }
  added
OAuth flows
  { security: [{ o: [] }], components: { securitySchemes: { o: { type: oauth2,
    flows: { ‹«FLOW: { tokenUrl: 'https://a.example' }»› } } } } }
  removed
URLs of OAuth flows
  { security: [{ o: [] }], components: { securitySchemes: { o: { type: oauth2,
    flows: { ‹FLOW: { tokenUrl: 'https://«a|b».example' }› } } } } }
  both
paths: { paths: { ‹«/NAME: { get: { responses: {} } }»› } }
  removed
webhooks: { webhooks: { ‹«NAME: { post: { responses: {} } }»› } }
  removed
callbacks: { callbacks: { ‹«NAME: { @url: { post: { responses: {} } } }»› } }
  removed
`

const all = ['ann', 'bob', 'cat', 'zoe'] as const
const flows = ['authorizationCode', 'password', 'clientCredentials', 'implicit']

/** Replaces what stands for the name of a member. */
const named = (text: string, index: number): string =>
  text
    .replaceAll('NAME', all[index] ?? '')
    .replaceAll('STATUS', `40${index}`)
    .replaceAll('FLOW', flows[index] ?? '')

/** Returns the value in which some names have what is only for them. */
const membersIn = (template: string, isChosen: (index: number) => boolean): unknown =>
  readYaml(
    template.replaceAll(/‹(.*?)›/g, (_each, member: string) =>
      all
        .map((_name, index) =>
          named(member, index).replaceAll(/«([^|»]*)\|?([^»]*)»/g, isChosen(index) ? '$1' : '$2')
        )
        .filter((text) => text !== '')
        .join(', ')
    )
  )

interface Members {
  readonly what: string
  readonly template: string
  readonly hurts: string
  readonly documentOf: (value: unknown) => Node
}

const event = '{$request.query.url}'
const ways: readonly ((operation: Node) => Node)[] = [
  (operation) => documentOf(operation),
  (post) => documentOf({ webhooks: { event: { post } } }),
  (post) => documentOf({ callbacks: { done: { [event]: { post } } } })
]

/** Returns the members of a table; a column of the last line says what hurts. */
const membersOf = (table: string, column: number, documentOf: (value: never) => Node): Members[] =>
  blocksOf(table).map(({ title: what, lines }) => {
    const hurts = lines.at(-1)?.split(', ')[column] ?? ''
    return {
      what,
      hurts,
      template: lines.slice(0, -1).join(' '),
      documentOf: documentOf as Members['documentOf']
    }
  })

const wheres = ['query', 'header', 'cookie']

const members: readonly Members[] = [
  ...ways.flatMap((way, index) =>
    wheres.flatMap((where, position) =>
      membersOf(operations.replaceAll('WHERE', where), Math.min(index, 1), way).filter(
        ({ what }) => position === 0 || what.includes(`${where} parameters`)
      )
    )
  ),
  ...(['request', 'response'] as const).flatMap((role, column) =>
    membersOf(schemas.replaceAll('FLAG', role === 'request' ? 'readOnly' : 'writeOnly'), column, (schema) =>
      withSchema(role, schema, { Kind: { type: 'object' } })
    )
  ),
  ...membersOf(documents, 0, documentOf)
]

/** Returns whether a change of one of the lists has the text as a word. */
function isShown(report: Report, lists: readonly (keyof Report)[], text: string): boolean {
  const word = new RegExp(`\\b${text}\\b`)
  return lists.some((list) =>
    report[list].some(({ operation, message }) => word.test(`${operation} ${message}`))
  )
}

/** Returns the text of the change of a member. */
function shownName({ what, template }: Members, index: number): string {
  if (what === 'prefixItems') return String(index)
  return named(/STATUS|FLOW/.exec(template)?.[0] ?? 'NAME', index)
}

const hurting = ['breaking', 'undecided'] as const
const any = [...hurting, 'compatible'] as const

for (const count of [1, 2, 3])
  t.test(`${count} members at once`, async (t) => {
    const indices = [0, 1, 2].slice(0, count)
    for (const each of members) {
      const many = each.documentOf(membersIn(each.template, (index) => index < count || index === 3))
      const few = each.documentOf(membersIn(each.template, (index) => index === 3))
      const reports = { removed: compared(many, few), added: compared(few, many) }
      const silent = (['removed', 'added'] as const).flatMap((edit) => {
        const lists = each.hurts === edit || each.hurts === 'both' ? hurting : any
        return indices
          .map((index) => shownName(each, index))
          .filter((name) => !isShown(reports[edit], lists, name))
          .map((name) => `${name} ${edit}`)
      })
      t.strictSame(silent, [], each.what)
    }
  })
