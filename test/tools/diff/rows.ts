/** Tables of edits as texts, and small documents that are compared in process. */
import { resolve } from 'node:path'
import { buildContract, type Contract } from '../../../src/contract/contract.ts'
import { loadContract } from '../../../src/contract/load/load.ts'
import { stringify } from '../../../src/engine/json/exact-values.ts'
import { parseOpenApi } from '../../../src/engine/json/openapi-json.ts'
import { compareContracts } from '../../../src/tools/diff/operations/compare-contracts.ts'
import type { Report } from '../../../src/tools/diff/operations/rules.ts'

export type Node = Readonly<Record<string, unknown>>

/** Stand for what a table repeats; other names after `@` are references to components. */
const words: Readonly<Record<string, string>> = {
  text: '{ type: string }',
  int: '{ type: integer }',
  number: '{ type: number }',
  list: '{ type: array, items: @int }',
  cat: '{ type: object, properties: { kind: { const: cat } }, required: [kind] }',
  dog: '{ type: object, properties: { kind: { const: dog } }, required: [kind] }',
  namedCat: '{ type: object, properties: { kind: { const: cat }, name: @text }, required: [kind] }',
  ok: '{ description: OK }',
  form: 'application/x-www-form-urlencoded',
  parts: 'multipart/form-data',
  plain: '{ a: { contentType: text/plain } }',
  url: "'{$request.query.url}'",
  schemes: `{ securitySchemes: { bearer: { type: http, scheme: bearer }, key: { type: apiKey, in: header, name: X-Key },
    auth: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} } } } } }`
}

const expanded = (text: string): string =>
  text
    .replaceAll(/\bjson\(([^()]*)\)/g, '{ application/json: { schema: $1 } }')
    .replaceAll(/@(\w+)/g, (_at, word) =>
      words[word] === undefined ? `{ $ref: '#/components/schemas/${word}' }` : expanded(words[word])
    )

/** Reads YAML with exact integers, and each alias as a copy. */
export const readYaml = (text: string): unknown => parseOpenApi(stringify(parseOpenApi(expanded(text))))

export interface Row {
  readonly title: string
  readonly old: unknown
  readonly now: unknown
  /** Components of the old and of the new document. */
  readonly schemas: readonly [old: Node, now: Node]
  /** Changes that are reported, by the marker before them; those without a marker are under ``. */
  readonly changes: Readonly<Record<string, readonly string[]>>
}

/** Returns the rows of a table: a title, and lines with two spaces before them. */
export const blocksOf = (table: string) =>
  table
    .trim()
    .split(/\n(?=\S)/)
    .map((block) => {
      const [, title = '', rest = ''] = /^(.*?)(?::(?= [{@])|\n|$)\s*([\s\S]*)$/.exec(block) ?? []
      return { title, lines: rest.split(/\n {2}(?=\S)/).map((line) => line.replaceAll(/\n\s+/g, ' ')) }
    })

/**
 * Reads rows of a title and of one edit in YAML, which encloses what differs, as in `{ maximum: «5 → 9» }`; of components,
 * as in `Cat: { type: object }`; and of lists of changes, with `answer:` or `back:` before others.
 */
export const rowsOf = (table: string): Row[] =>
  blocksOf(table).map(({ title, lines }) => {
    const components = lines.filter((line) => /^[A-Z]\w*: /.test(line))
    const changes = lines.filter((line) => /^(breaking|undecided|compatible|answer:|back:)/.test(line))
    const [old, now] = sidesOf(lines.filter((line) => ![...components, ...changes].includes(line)).join(' '))
    const named = components.map((line) => {
      const [, name = '', schema = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      return [name, sidesOf(schema)] as const
    })
    const schemas = (side: 0 | 1) =>
      Object.fromEntries(
        named.map(([name, each]) => [name, each[side]]).filter(([, value]) => value !== 'none')
      )
    return {
      ...{ title, old, now, schemas: [schemas(0), schemas(1)] as const },
      changes: changesIn(expanded(changes.join('; ')))
    }
  })

/** Returns the values before and after an edit. */
export function sidesOf(edit: string): readonly [unknown, unknown] {
  const whole = edit.includes('«') ? edit : `«${edit}»`
  const side = (part: string) => readYaml(whole.replaceAll(/«(?:([^»]*?) )?[→=<](?: ([^»]*))?»/g, part))
  return /[→=<]/.test(whole) ? [side('$1'), side('$2')] : [readYaml(edit), readYaml(edit)]
}

const changesIn = (text: string): Row['changes'] =>
  Object.fromEntries(
    text.split(/; (?=(?:answer|back):)/).map((part) => {
      const [, marker = '', changes = ''] = /^(?:(answer|back): ?)?(.*)$/.exec(part) ?? []
      return [marker, changes.split('; ').filter((change) => change !== '')]
    })
  )

const head = { openapi: '3.1.0', info: { title: 'Things', version: '1' } }

/** Returns a document with one operation. */
export const withOperation = (operation: Node, more: Node = {}): Node => ({
  ...head,
  paths: { '/things': { post: { responses: { 200: { description: 'OK' } }, ...operation } } },
  ...more
})

/** Returns a document with the operation; some members of a row are those of the document. */
export function documentOf(row: unknown): Node {
  const { components, paths, webhooks, document, ...operation } = row as Readonly<Record<string, Node>>
  const parts = Object.entries({ components, paths, webhooks }).filter(([, part]) => part !== undefined)
  return withOperation(operation, { ...Object.fromEntries(parts), ...document })
}

/** Returns a document whose request or answer has the schema. */
export function withSchema(role: 'request' | 'response', schema: unknown, schemas: Node = {}): Node {
  const content = { 'application/json': { schema } }
  const operation =
    role === 'request' ? { requestBody: { content } } : { responses: { 200: { description: 'OK', content } } }
  return withOperation(operation, { components: { schemas } })
}

const place = { file: 'openapi.yaml', pointer: '', line: 1, column: 1 }

/** Returns the model of a document as it is written. */
const contractOf = (document: Node): Contract => buildContract(document as never, () => place)

export const compared = (old: Node, now: Node, today = new Date('2026-01-01')): Report =>
  compareContracts(contractOf(old), contractOf(now), today)

/** Returns the document as the compiler reads it. */
export async function loaded(document: Node): Promise<Node> {
  const path = resolve('openapi.json')
  const tree = { realPath: () => path, names: () => [], read: async () => JSON.stringify(document) }
  return (await loadContract(path, undefined, { tree })).document
}

/** Returns one line for each change: `breaking request-maximum-lowered`. */
export const ruleLines = (report: Report): string[] =>
  Object.entries(report).flatMap(([list, changes]) => changes.map(({ rule }) => `${list} ${rule}`))
