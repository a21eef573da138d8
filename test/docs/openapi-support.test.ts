/** Compiles every row of the tables in docs/openapi-support.md, and validates its values. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { compileContract } from '../../src/contract/compile/compile.ts'
import { ContractError } from '../../src/contract/compile/diagnostics/problem.ts'
import { writeFiles } from '../../src/contract/compile/emit/write.ts'
import { parseExactJson } from '../../src/contract/json/parse.ts'
import type { Contract, Validator } from '../../src/contract/model/compiled-contract.ts'

interface Row {
  readonly section: string
  readonly feature: string
  readonly fragment: Record<string, unknown>
  readonly support: string
  readonly takes: string
  readonly refuses: string
}

const path = resolve(import.meta.dirname, '../../docs/openapi-support.md')
const rows = (await readFile(path, 'utf8')).split(/^## /m).flatMap(rowsOf)

function rowsOf(text: string): Row[] {
  const section = text.slice(0, text.indexOf('\n'))
  const lines = text.split('\n').filter((line) => /^\|.*\| (yes|warned|refused) \|/.test(line))
  return lines.map((line) => {
    const [, feature = '', fragment = '', support = '', takes = '', refuses = ''] = line
      .split(' | ')
      .flatMap((cell, index) => (index === 0 ? ['', cell.replace(/^\| /, '')] : [cell]))
    const code = (cell: string) => /`(.*)`/.exec(cell)?.[1] ?? ''
    return {
      section,
      feature,
      fragment: JSON.parse(code(fragment)) as Record<string, unknown>,
      support: support.replace(/ \|$/, ''),
      takes: code(takes),
      refuses: code(refuses)
    }
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

/** Returns a contract with the fragment in its place; `null` removes a member. */
function contractOf({ section, fragment }: Row): object {
  const requestBody = { content: { 'application/json': { schema: section === 'Schemas' ? fragment : {} } } }
  const operation = {
    operationId: 'add',
    requestBody,
    responses: { 200: { description: 'ok' } },
    ...(section === 'Operations' ? fragment : {})
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Row', version: '1' },
    paths: { '/things/{id}': { parameters: [id], post: operation } },
    components: { schemas, securitySchemes },
    ...(section === 'Documents' ? fragment : {})
  }
  return JSON.parse(JSON.stringify(document, (_key, value) => value ?? undefined)) as object
}

/** Warnings of the compiler itself; those of the linter are about style. */
const own =
  /cannot answer|is not applied|is read in style|always required|is not known|cannot be parsed|only by parameter names|no request can reach|not enforced|no effect/

t.ok(rows.length > 60, 'the tables are read')
for (const row of rows) {
  t.test(`${row.section}: ${row.feature}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'support-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const text = row.feature.startsWith('x-*') ? withNull(contractOf(row)) : JSON.stringify(contractOf(row))
    await writeFile(join(folder, 'openapi.json'), text)
    t.equal(await supportOf(folder), row.support)
    if (row.takes + row.refuses !== '') await checkValues(t, row, folder)
  })
}

const withNull = (contract: object): string =>
  JSON.stringify(contract).replace('"schema":{}', '"schema":{"x-any":null}')

async function supportOf(folder: string): Promise<string> {
  try {
    const { files, problems } = await compileContract(join(folder, 'openapi.json'), folder)
    await writeFiles(files, folder)
    return problems.some(({ message }) => own.test(message)) ? 'warned' : 'yes'
  } catch (error) {
    if (error instanceof ContractError) return 'refused'
    throw error
  }
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
  const { value, exactness, root } = parseExactJson(text)
  const context = {
    instancePath: '',
    parentData: root,
    parentDataProperty: '',
    rootData: value,
    dynamicAnchors: {}
  }
  return validator?.call(exactness, value, exactness === undefined ? undefined : context)
}
