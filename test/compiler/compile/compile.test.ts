/** Compiled contracts: all problems in one run, each with its place, and what is in the files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { withContract } from '../../../src/compiler/compile/checked-operations.ts'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { servedOperation } from '../../../src/compiler/compile/emit/operations-module.ts'
import { ContractError, compileInMemory, generate } from '../../../src/compiler/compiler.ts'
import { formatProblem } from '../../../src/contract/diagnostics/problem.ts'
import { generate as generated } from '../../contracts/drive.ts'

t.setTimeout(900_000)

/** Writes a contract with these members below its title, and returns its path. */
function written(t: Test, members: string): string {
  // The tests of one file share t.testdir(), and some compile several contracts.
  const folder = mkdtempSync(join(tmpdir(), 'compile-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'openapi.yaml')
  writeFileSync(path, `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n${members}`)
  return path
}

const compile = (t: Test, members: string, onPhase: (phase: string) => void = () => {}) => {
  const path = written(t, members)
  return compileContract(path, join(path, '../out'), { onPhase })
}

async function typesOf(t: Test, members: string): Promise<string> {
  return String((await compile(t, members)).files.get('types.ts'))
}

t.test('errors of the structure, the checks and the schemas are found in one run', async (t) => {
  const path = written(
    t,
    `paths:
  /a: { post: { operationId: a, requestbody: {}, responses: { '204': { description: done } } } }
  /b:
    get:
      operationId: a
      security: [{ nope: [] }]
      parameters:
        - { name: x, in: query, schema: { type: strnig, minLength: -1 } }
        - { name: y, in: query, schema: { $ref: '#/components/schemas/No' } }
      responses: { '204': { description: done } }
`
  )
  const error = await compileContract(path, join(path, '../out')).catch((thrown) => thrown)
  t.ok(error instanceof ContractError)
  const errors = (error as ContractError).problems.filter(({ severity }) => severity === 'error')
  t.match(
    errors.map((problem) => formatProblem(problem, join(path, '..')).replace('openapi.yaml:', '')),
    [
      /^4:33 Property `requestbody` is not expected here/,
      /^7:7 operationId a is used twice/,
      /^8:20 security scheme nope is not declared/,
      /^10:43 type must be one of /,
      /^10:57 minLength must be a whole number, at least 0: /,
      /^11:41 Can't resolve \$ref #\/components\/schemas\/No/
    ]
  )
  t.equal(errors.length, 6, 'a reference that cannot be resolved is reported once')
})

t.test('a failure of a package is a problem of the contract, and hides no warning', async (t) => {
  const failure = async () => {
    throw new Error('out of letters')
  }
  const path = written(t, 'paths: {}\nunknown: 1\n')
  const error = await withContract(path, {}, failure).catch((thrown) => thrown)
  t.match(error, { name: 'ContractError', cause: { message: 'out of letters' } })
  t.match(
    error.problems.map(({ message }: { message: string }) => message),
    [/^Property `unknown` is not expected here/, 'this contract cannot be compiled: out of letters']
  )
})

t.test('a contract that contains itself is an error, not a stack trace', async (t) => {
  const cycle = 'paths: {}\ncomponents: { schemas: { A: &a { type: object, properties: { a: *a } } } }\n'
  const error = await compile(t, cycle).catch((thrown) => thrown)
  t.ok(error instanceof ContractError)
  t.match(error.problems.at(-1), { severity: 'error', line: 4, column: 62 })
  await t.rejects(compileInMemory(written(t, '')), ContractError)
})

const operation = (body: string, more = '') =>
  `paths: { /a: { post: { operationId: a, ${more}requestBody: { required: true, content: { ${body} } }, responses: { '204': { description: done } } } } }\n`

t.test('types of bodies and security schemes', async (t) => {
  const unread = await typesOf(t, operation('application/yaml: { schema: { type: string } }'))
  t.match(unread, /readonly body: never;\n\s+readonly mediaType: never;/, 'a body that cannot be read')
  const schemes =
    'components: { securitySchemes: { used: { type: http, scheme: bearer }, unused: { type: http, scheme: bearer } } }\n'
  const secured = await typesOf(t, `${operation('text/plain: {}', 'security: [{ used: [] }], ')}${schemes}`)
  t.match(secured, /\n {2}used: \(credential[^\n]+\n {2}unused\?: \(credential/)
  const branch = 'anyOf: [{ type: integer, format: int64 }, { type: object }]'
  const schema = `{ properties: { x: { type: string } }, ${branch} }`
  const union = await typesOf(t, operation(`application/json: { schema: ${schema} }`))
  t.match(union, /x\?: string;\s+\} \| bigint/, 'properties without a type allow the int64 of a branch')
})

t.test('every phase of a compile is named as it begins', async (t) => {
  const phases: string[] = []
  await compile(t, 'paths: {}\n', (phase) => phases.push(phase))
  t.strictSame(phases, [
    'reading the contract',
    'checking the operations',
    'writing the routes and serializers',
    'writing the types',
    'writing the validators'
  ])
})

t.test('what is compiled depends on nothing that was compiled before', async (t) => {
  const compiled = async (keyword: string) => {
    const schema = `{ type: object, properties: { s: { type: string, ${keyword} } } }`
    const { files } = await compile(t, `paths: {}\ncomponents: { schemas: { S: ${schema} } }\n`)
    return (name: string) => String(files.get(name)).replaceAll(/[0-9a-f]{16,64}/g, '')
  }
  const first = await compiled('maxLength: 3')
  const limited = await compiled('maxLength: 4')
  const described = await compiled('maxLength: 3, description: D')
  const again = await compiled('maxLength: 3')
  t.equal(limited('types.ts'), first('types.ts'))
  t.not(limited('schemas.js'), first('schemas.js'))
  t.match(described('types.ts'), '@description D')
  t.equal(described('schemas.js'), first('schemas.js'))
  for (const name of ['types.ts', 'schemas.js']) t.equal(again(name), first(name))
})

t.test('a schema that no operation uses has functions; a malformed one is left out', async (t) => {
  const content = "content: { application/json: { schema: { $ref: '#/components/schemas/Used' } } }"
  const { files, problems } = await compile(
    t,
    `paths: { /used: { put: { operationId: use, requestBody: { ${content} }, responses: { '200': { description: ok, ${content} } } } } }
components:
  schemas:
    Used: { type: object, properties: { a: { type: string } } }
    Unused: { type: string, maxLength: 3 }
    Malformed: { type: strng }
    Equal: { type: strng }
    Above: { type: array, items: { $ref: '#/components/schemas/Malformed' } }
`
  )
  const code = String(files.get('schemas.js'))
  t.match(
    code,
    /import \{ request_Used \} from "\.\/validators\.js".*Used: \{ validate: request_Used,/s,
    'the validator of the request body is shared'
  )
  t.match(code, /Unused: \{ validate: response_Unused/)
  t.notMatch(code, /Malformed|Equal|Above/)
  t.match(String(files.get('types.ts')), "type CodecNames = 'Used' | 'Unused';")
  t.match(String(files.get('operations.js')), "Object.fromEntries(['Used', 'Unused'].map(lazySchema))")
  const refused = problems.filter(({ message }) => message.includes('contract.schemas'))
  t.strictSame(
    refused.map(({ severity, message }) => `${severity} ${message.split(' is')[0]}`),
    ['warning schema Malformed', 'warning schema Equal', 'warning schema Above']
  )
})

t.test('a contract without component schemas has no file for them', async (t) => {
  const { files } = await compile(t, 'paths: {}\n')
  t.notOk(files.has('schemas.js'))
  for (const [name, text] of files) t.notMatch(text, /Codec|lazySchema|loadSchemas/, name)
})

/** Exports of a module besides the id of its build. */
const namesOf = (module: object) =>
  Object.keys(module)
    .filter((name) => name !== '$build')
    .sort()

t.test('the data of a contract that is compiled in memory are those of the generated files', async (t) => {
  const { contract: files } = await generated(t, 'unions.yaml')
  const { contract, problems } = await compileInMemory(
    resolve(import.meta.dirname, '../../contracts/unions.yaml')
  )
  t.equal(await contract.yaml(), await files.yaml())
  t.same(contract.operations.map(servedOperation), files.operations)
  t.same(contract.securitySchemes, files.securitySchemes)
  t.equal(contract.title, files.title)
  const [requests, { shapes, bodies }] = await Promise.all([contract.requests(), files.requests()])
  t.same(requests, { shapes, bodies })
  const [code, { validators, serializers }] = await Promise.all([contract.load(), files.load()])
  t.same(Object.keys(code.validators).sort(), namesOf(validators))
  t.same(
    Object.keys(code.serializers)
      .filter((name) => name !== 'undefined')
      .sort(),
    namesOf(serializers)
  )
  t.notMatch(JSON.stringify(problems), /license/, 'no matters of taste')
})

t.test('nothing keeps an earlier contract', async (t) => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const folder = t.testdir()
  // Objects of which one branch declares a member, and the other one any: lists begin with a schema of no contract.
  const either =
    '{ anyOf: [{ type: object }, { type: object, properties: { b: { type: array, items: { type: string } } } }] }'
  const content = "content: { application/json: { schema: { $ref: '#/components/schemas/Either' } } }"
  // A function of its own, because this one would keep its last values.
  const made = async (title: string) => {
    const contract = `${folder}/openapi.yaml`
    writeFileSync(
      contract,
      `openapi: 3.1.0
info: { title: ${title}, version: '1' }
paths: { /a: { post: { operationId: post, requestBody: { ${content} }, responses: { '200': { description: Done, ${content} } } } } }
components: { schemas: { Either: ${either} } }
`
    )
    const { documents } = await generate({ contract, out: `${folder}/generated` })
    return new WeakRef<object>(documents.after)
  }
  const earlier = [await made('first'), await made('second'), await made('third')]
  await sleep(0)
  gc()
  t.strictSame(
    earlier.map((document) => document.deref() !== undefined),
    [false, false, true],
    'the last one is compared with the next'
  )
})
