/**
 * The JSON Schema test suite, draft 2020-12: wherever bare Ajv is right, the compiled validators are. Each schema of the
 * suite is the body of an operation; all are one contract, with the schemas that they refer to as components.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { compileContract } from '../../../../src/contract/compile/compile.ts'
import { writeFiles } from '../../../../src/contract/compile/emit/write.ts'
import { exactnessOf } from '../../../../src/contract/json/inexact-numbers.ts'
import type { Contract } from '../../../../src/contract/model/compiled-contract.ts'

type Schema = boolean | Record<string, unknown>

interface Group {
  /** `ref.json: remote ref` */
  readonly name: string
  readonly file: string
  readonly schema: Schema
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** A JSON text to a verdict; undefined where the schema can not be compiled. */
type Verdict = (text: string) => boolean | undefined

const suite = join(import.meta.dirname, '../json-schema-test-suite')

/** Numbers stay as they are spelled: a double would round some that the suite is about. */
type Reviver = (key: string, value: unknown, context: { readonly source: string }) => unknown
const spelled: Reviver = (_key, value, { source }) =>
  typeof value === 'number' ? JSON.rawJSON(source) : value
const readJson = (path: string) =>
  (JSON.parse as (text: string, reviver: Reviver) => unknown)(readFileSync(path, 'utf8'), spelled)
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()

const groups: readonly Group[] = filesIn(join(suite, 'tests/draft2020-12')).flatMap((file) => {
  const found = readJson(join(suite, 'tests/draft2020-12', file)) as (Group & { description: string })[]
  return found.map((group) => ({ ...group, file, name: `${file}: ${group.description}` }))
})

/** What the suite refers to: its own remote schemas, and the meta-schemas of the draft. */
function remoteSchemas(): Record<string, unknown>[] {
  const remotes = filesIn(join(suite, 'remotes')).map((file) => {
    const schema = readJson(join(suite, 'remotes', file)) as Record<string, unknown>
    return { $id: `http://localhost:1234/${file}`, ...schema }
  })
  const folder = resolve(
    createRequire(import.meta.url).resolve('ajv/package.json'),
    '../dist/refs/json-schema-2020-12'
  )
  return [
    ...remotes,
    ...filesIn(folder).map((file) => readJson(join(folder, file)) as Record<string, unknown>)
  ]
}

const remotes = remoteSchemas()

/** Of the suite's schemas each is a document of its own: a `#` in it means the schema, which wants a name for that. */
function embedded({ name, schema }: Group): Schema {
  const isSelfReferring = /"\$(ref|dynamicRef)":"#/.test(JSON.stringify(schema))
  return typeof schema === 'object' && isSelfReferring
    ? { $id: `https://suite.example/${encodeURIComponent(name)}`, ...schema }
    : schema
}

async function compiled(t: Test, list: readonly Group[]): Promise<Verdict[]> {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const document = {
    openapi: '3.1.0',
    info: { title: 'Suite', version: '1' },
    paths: Object.fromEntries(list.map((group, index) => [`/${index}`, { post: operation(group, index) }])),
    components: { schemas: Object.fromEntries(remotes.map((schema, index) => [`Remote${index}`, schema])) }
  }
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  const { files } = await compileContract(join(folder, 'openapi.json'), folder)
  await writeFiles(files, folder)
  const { default: contract } = (await import(pathToFileURL(join(folder, 'contract.ts')).href)) as {
    default: Contract
  }
  const { validators } = await contract.load()
  return contract.operations.map(({ requestBody }) => {
    const validate = validators[requestBody?.content[0]?.validate ?? '']
    return (text) => {
      const root = { '': JSON.parse(text) as unknown }
      const place = { instancePath: '', parentData: root, parentDataProperty: '', rootData: root[''] }
      return validate?.call(exactnessOf(text, root), root[''], { ...place, dynamicAnchors: {} })
    }
  })
}

function operation(group: Group, index: number): object {
  const content = { 'application/json': { schema: embedded(group) } }
  return { operationId: `o${index}`, requestBody: { content }, responses: { 204: { description: 'ok' } } }
}

/** As its documentation says, and with own properties only. */
function bareAjv({ schema }: Group): Verdict[] {
  return [false, true].map((ownProperties) => {
    const ajv = new Ajv2020({ strict: false, logger: false, ownProperties })
    addFormats.default(ajv)
    try {
      for (const remote of remotes)
        if (!String(remote['$id']).startsWith('https://json-schema.org/')) ajv.addSchema(plain(remote))
      const validate = ajv.compile(plain(schema) as AnySchemaObject)
      return (text) => {
        try {
          return validate(JSON.parse(text)) as boolean
        } catch {
          return undefined
        }
      }
    } catch {
      return () => undefined
    }
  })
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
/** Schemas that no contract can hold, with why; whatever else the suite has, compiles. */
const inexpressible = new Map([
  ['refRemote.json: remote HTTP ref with different $id', /over the network/],
  ['refRemote.json: remote HTTP ref with different URN $id', /over the network/],
  ['optional/cross-draft.json: refs to historic drafts are processed as historic drafts', /over the network/]
])

/** Where neither bare Ajv nor we are right, of what the suite requires. */
const missed = [
  'unevaluatedItems.json: unevaluatedItems with nested items: with no additional items',
  'unevaluatedItems.json: unevaluatedItems with nested items: with invalid additional item',
  'unevaluatedItems.json: unevaluatedItems depends on adjacent contains: contains passes, second item is not evaluated',
  'unevaluatedItems.json: unevaluatedItems depends on multiple nested contains: 7 not evaluated, fails unevaluatedItems',
  "unevaluatedItems.json: unevaluatedItems and contains interact to control item dependency relationship: only b's are invalid",
  "unevaluatedItems.json: unevaluatedItems and contains interact to control item dependency relationship: only c's are invalid",
  "unevaluatedItems.json: unevaluatedItems and contains interact to control item dependency relationship: only b's and c's are invalid",
  "unevaluatedItems.json: unevaluatedItems and contains interact to control item dependency relationship: only a's and c's are invalid",
  'unevaluatedProperties.json: unevaluatedProperties with if/then/else, then not defined: when if is false and has unevaluated properties',
  'unknownKeyword.json: $id inside an unknown keyword is not a real identifier: type matches second anyOf, which has a real schema in it',
  'unknownKeyword.json: $id inside an unknown keyword is not a real identifier: type matches non-schema in first anyOf',
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates'
]

/** What we refuse on purpose: an integer that a double can not hold, and no format says that it is an int64. */
const intended = [
  'optional/bignum.json: integer: a bignum is an integer',
  'optional/bignum.json: integer: a negative bignum is an integer'
]

t.test('validation is right wherever bare Ajv is', async (t) => {
  const expressible = groups.filter(({ name }) => !inexpressible.has(name))
  const verdicts = await compiled(t, expressible)
  const wrong: string[] = []
  const worse: string[] = []
  const right = { suite: 0, compiled: 0, bare: 0, bareOwn: 0 }
  for (const [index, group] of expressible.entries()) {
    const bare = bareAjv(group)
    for (const { description, data, valid } of group.tests) {
      const text = JSON.stringify(data)
      const [found, plainly, owned] = [verdicts[index], ...bare].map((verdict) => verdict?.(text) === valid)
      const name = `${group.name}: ${description}`
      if (found !== true) wrong.push(name)
      if (found !== true && (plainly || owned)) worse.push(name)
      if (group.file.startsWith('optional/')) continue
      right.suite++
      if (found) right.compiled++
      if (plainly) right.bare++
      if (owned) right.bareOwn++
    }
  }
  t.strictSame(worse, intended)
  t.strictSame(
    wrong.filter((name) => !name.startsWith('optional/')),
    missed
  )
  t.ok(right.compiled >= Math.max(right.bare, right.bareOwn), `${JSON.stringify(right)}`)
  t.comment(right)
})

for (const [name, reason] of inexpressible) {
  t.test(`${name} is refused`, async (t) => {
    const group = groups.find((other) => other.name === name)
    await t.rejects(compiled(t, group === undefined ? [] : [group]), {
      name: 'ContractError',
      message: reason
    })
  })
}
