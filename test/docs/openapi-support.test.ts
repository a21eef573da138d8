/** Compiles every row of docs/openapi-support.md, and validates its values. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import { enforcedFormats } from '../../src/compiler/compile/validators/reading.ts'
import { parseExactJson } from '../../src/engine/json/parse.ts'
import type { Contract, Validator } from '../../src/engine/model/compiled-contract.ts'
import { supportOf } from '../contracts/compile-cache.ts'

t.setTimeout(900_000)

interface Row {
  readonly section: string
  readonly feature: string
  readonly fragment: Record<string, unknown>
  readonly support: string
  readonly takes: string
  readonly refuses: string
}

const supports: Readonly<Record<string, string>> = {
  Enforced: 'yes',
  Served: 'yes',
  Warned: 'warned',
  Refused: 'refused'
}

const path = resolve(import.meta.dirname, '../../docs/openapi-support.md')
const rows = (await readFile(path, 'utf8')).split(/^## /m).flatMap(rowsOf)

/** Reads the rows of a section: a fragment with its values in a table, or a note with its fragment in a list. */
function rowsOf(text: string): Row[] {
  const section = text.slice(0, text.indexOf('\n'))
  return text.split(/^### /m).flatMap((part) => {
    const support = supports[part.slice(0, part.indexOf('\n'))]
    if (support === undefined) return []
    return part.split('\n').flatMap((line) => {
      const [, fragment, rest = ''] = /^(?:\| |- .*?)`(\{".*?\})`(?: (.*)|$)/.exec(line) ?? []
      if (fragment === undefined) return []
      const [, takes = '', refuses = ''] = rest.split('|').map((cell) => /`(.*)`/.exec(cell)?.[1] ?? '')
      const feature = line.replace(/ \| .*/, '')
      return [{ section, feature, fragment: JSON.parse(fragment), support, takes, refuses }]
    })
  })
}

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const schemas = {
  Word: { $anchor: 'word', type: 'string', minLength: 2, $defs: { inner: { type: 'integer', minimum: 10 } } },
  Tree: {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }
  },
  Cat: { type: 'object', required: ['kind', 'lives'], properties: { kind: {}, lives: {} } },
  Dog: { type: 'object', required: ['kind', 'bark'], properties: { kind: {}, bark: {} } }
}
const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  token: { type: 'http', scheme: 'bearer' }
}

/** Returns a contract with the fragment in its place. A fragment of a schema may name its version of OpenAPI. */
function contractOf({ section, fragment }: Row): object {
  const { openapi, ...keywords } = fragment
  const schema = section === 'Schemas' ? keywords : {}
  const requestBody = { content: { 'application/json': { schema } } }
  const operation = {
    operationId: 'add',
    requestBody,
    responses: { 200: { description: 'ok' } },
    ...(section === 'Operations' ? fragment : {})
  }
  const document = {
    openapi: (section === 'Schemas' && openapi) || '3.1.0',
    info: { title: 'Row', version: '1' },
    security: [{ key: [], token: [] }],
    paths: { '/things/{id}': { parameters: [id], post: present(operation) } },
    components: {
      schemas: openapi === '3.0.3' ? { Word: { type: 'string', minLength: 2 } } : schemas,
      securitySchemes,
      requestBodies: { Done: { description: 'done', content: { 'text/plain': {} } } }
    },
    ...(section === 'Documents' ? fragment : {})
  }
  return present(document)
}

/** Returns the members without those that a fragment removes by `null`. */
const present = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

t.equal(rows.length, 218, 'the rows are read')

t.test('the table of formats lists every enforced format', async (t) => {
  const text = await readFile(path, 'utf8')
  const table = text.slice(text.indexOf('## Formats'), text.indexOf('## Operations'))
  const cells = table.split('\n').flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  const listed = cells.flatMap((cell) => cell.split(', ').map((format) => format.replaceAll('`', '')))
  t.strictSame(listed.sort(), [...enforcedFormats].sort())
})

for (const row of rows) {
  t.test(`${row.section}: ${row.feature}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'support-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const { support, files } = await supportOf(contractOf(row), folder)
    t.equal(support, row.support)
    await writeFiles(files, folder)
    if (row.takes + row.refuses !== '') await checkValues(t, row, folder)
  })
}

async function checkValues(t: Test, { takes, refuses }: Row, folder: string): Promise<void> {
  const module = await import(pathToFileURL(join(folder, 'contract.ts')).href)
  const contract = module.default as Contract
  const { validators } = await contract.load()
  const name = contract.operations[0]?.requestBody?.content[0]?.validate ?? ''
  if (takes !== '') t.equal(isValid(validators[name], takes), true, `takes ${takes}`)
  if (refuses !== '') t.equal(isValid(validators[name], refuses), false, `refuses ${refuses}`)
}

function isValid(validator: Validator | undefined, text: string): boolean | undefined {
  return validator?.(parseExactJson(text).value)
}
