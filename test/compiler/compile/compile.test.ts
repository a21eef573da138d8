import { join } from 'node:path'
import t, { type Test } from 'tap'
import { withContract } from '../../../src/compiler/compile/checked-operations.ts'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { ContractError, formatProblem } from '../../../src/contract/diagnostics/problem.ts'

/** Returns the errors of the contract, each as `line:column message`. */
async function errorsOf(t: Test, text: string): Promise<readonly string[]> {
  const folder = t.testdir({ 'openapi.yaml': text })
  const error = await compileContract(join(folder, 'openapi.yaml'), join(folder, 'out')).catch(
    (thrown) => thrown
  )
  if (!(error instanceof ContractError)) throw error
  return error.problems
    .filter(({ severity }) => severity === 'error')
    .map((problem) => formatProblem(problem, folder).replace('openapi.yaml:', ''))
}

t.test('errors of the structure, the checks and the schemas are found in one run', async (t) => {
  const errors = await errorsOf(
    t,
    `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    post:
      operationId: a
      requestbody: { content: {} }
      responses: { '204': { description: done } }
  /b:
    get:
      operationId: a
      security: [{ nope: [] }]
      parameters:
        - { name: x, in: query, schema: { type: strnig, minLength: -1 } }
        - name: y
          in: query
          schema:
            $ref: '#/components/schemas/No'
      responses: { '204': { description: done } }
`
  )
  t.match(errors, [
    /^7:7 Property `requestbody` is not expected here/,
    /^11:7 operationId a is used twice/,
    /^12:20 security scheme nope is not declared/,
    /^14:43 type must be one of /,
    /^14:57 minLength must be a whole number, at least 0: /,
    /^18:13 Can't resolve \$ref #\/components\/schemas\/No/
  ])
  t.equal(errors.length, 6, 'a reference that cannot be resolved is reported once')
})

t.test(
  'a failure of a package is a problem of the contract, and hides no warning about the structure',
  async (t) => {
    const folder = t.testdir({
      'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
unknown: 1
`
    })
    const failure = async () => {
      throw new Error('out of letters')
    }
    const error = await withContract(join(folder, 'openapi.yaml'), {}, failure).catch((thrown) => thrown)
    t.match(error, { name: 'ContractError', cause: { message: 'out of letters' } })
    t.match(
      error.problems.map(({ message }: { message: string }) => message),
      [/^Property `unknown` is not expected here/, 'this contract cannot be compiled: out of letters']
    )
  }
)

t.test('a body that must be there and cannot be read has no type', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    put:
      operationId: a
      requestBody: { required: true, content: { application/yaml: { schema: { type: string } } } }
      responses: { '204': { description: done } }
`
  })
  const { files } = await compileContract(join(folder, 'openapi.yaml'), folder)
  t.match(files.get('types.ts'), /readonly body: never;\n\s+readonly mediaType: never;/)
})

t.test('a scheme that no operation requires may have a handler, and needs none', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { get: { operationId: a, security: [{ used: [] }], responses: { '204': { description: done } } } }
components:
  securitySchemes: { used: { type: http, scheme: bearer }, unused: { type: http, scheme: bearer } }
`
  })
  const { files } = await compileContract(join(folder, 'openapi.yaml'), folder)
  t.match(files.get('types.ts'), /\n {2}used: \(credential[^\n]+\n {2}unused\?: \(credential/)
})

t.test('every phase of a compile is named as it begins', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\n"
  })
  const phases: string[] = []
  const onPhase = (phase: string) => phases.push(phase)
  await compileContract(join(folder, 'openapi.yaml'), folder, { onPhase })
  t.strictSame(phases, [
    'reading the contract',
    'checking the operations',
    'writing the routes and serializers',
    'writing the types',
    'writing the validators'
  ])
})

t.test('what is compiled depends on nothing that was compiled before', async (t) => {
  const contract = (keyword: string) => `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components: { schemas: { S: { type: object, properties: { s: { type: string, ${keyword} } } } } }
`
  const compiled = async (keyword: string) => {
    const folder = t.testdir({ 'openapi.yaml': contract(keyword) })
    const { files } = await compileContract(join(folder, 'openapi.yaml'), folder)
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

t.test('a contract that contains itself is an error, not a stack trace', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths: {}
components: { schemas: { A: &a { type: object, properties: { a: *a } } } }
`
  })
  const error = await compileContract(join(folder, 'openapi.yaml'), folder).catch((thrown) => thrown)
  t.ok(error instanceof ContractError)
  t.match(error.problems.at(-1), { severity: 'error', line: 4, column: 62 })
})

t.test('properties without a type allow the int64 of a branch', async (t) => {
  const schema =
    '{ properties: { x: { type: string } }, anyOf: [{ type: integer, format: int64 }, { type: object }] }'
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /a:
    post:
      operationId: a
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '204': { description: done } }
`
  })
  const { files } = await compileContract(join(folder, 'openapi.yaml'), folder)
  t.match(files.get('types.ts'), /x\?: string;\s+\} \| bigint/)
})
