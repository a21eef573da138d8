/** References lead to YAML and JSON files below the folder of the contract, and to nothing else. */
import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { ContractError } from '../../../src/contract/diagnostics/problem.ts'
import { ContractFolder, disk } from '../../../src/contract/load/contract-folder.ts'

t.setTimeout(900_000)

const secret = 'TOP-SECRET'

/** Makes a folder `api` beside files that no contract may read. */
async function surroundings(t: Test): Promise<string> {
  const folder = t.testdir({
    home: {
      'secret.yaml': `{ type: string, description: ${secret}, pathItem: { get: {} } }`,
      key: `${secret}\n`
    },
    'api-old': { 'secret.yaml': `{ type: string, description: ${secret} }` },
    api: { parts: { 'name.yaml': '{ type: string, maxLength: 3 }' }, key: `${secret}\n`, '.env': secret }
  })
  const api = join(folder, 'api')
  await symlink('../home/secret.yaml', join(api, 'link.yaml'))
  await symlink('../home', join(api, 'folder'))
  await symlink('parts/name.yaml', join(api, 'inner.yaml'))
  await symlink('/dev/zero', join(api, 'zero.yaml'))
  await symlink('circle.yaml', join(api, 'circle.yaml'))
  await mkdir(join(api, 'directory.yaml'))
  execFileSync('mkfifo', [join(api, 'pipe.yaml')])
  return folder
}

const contractWith = (schema: string, more = '') => `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '200': { description: OK } }
${more}`

interface Outcome {
  readonly messages: string
  readonly written: string
  readonly files: readonly string[]
}

async function outcome(folder: string, text: string, root?: string): Promise<Outcome> {
  const path = join(folder, 'api/openapi.yaml')
  await writeFile(path, text)
  const files: string[] = []
  const onFile = (file: string) => files.push(file)
  try {
    const { problems, files: made } = await compileContract(path, join(folder, 'out'), { root, onFile })
    return {
      messages: problems.map(({ message }) => message).join('\n'),
      written: [...made.values()].join(),
      files
    }
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    return { messages: error.message, written: '', files }
  }
}

const outside = /it is outside of the folder of the contract; --root DIR allows the files below DIR/
const name = /its name does not end in \.yaml, \.yml or \.json/
const irregular = /it is not a regular file/
const missing = /ENOENT, there is no such file/

const references: readonly (readonly [string, RegExp])[] = [
  ['../home/secret.yaml', outside],
  ['./../home/secret.yaml', outside],
  ['parts/../../home/secret.yaml', outside],
  ['../home/none.yaml', outside],
  ['../api-old/secret.yaml', outside],
  ['FOLDER/home/secret.yaml', outside],
  ['link.yaml', outside],
  ['folder/secret.yaml', outside],
  ['zero.yaml', outside],
  ['/dev/zero', name],
  ['../home/key', name],
  ['key', name],
  ['.env', name],
  ['parts/name.YAML', name],
  ['file://FOLDER/home/secret.yaml', /references to URLs are not followed/],
  ['http://127.0.0.1:1/x.yaml', /references to URLs are not followed/],
  ['data:application/json,{}', /references to URLs are not followed/],
  [String.raw`..\home\secret.yaml`, missing],
  ['%2e%2e/home/secret.yaml', outside],
  ['FILE://FOLDER/home/secret.yaml', /references to URLs are not followed/],
  ['pipe.yaml', irregular],
  ['directory.yaml', irregular],
  ['socket.yaml', /it cannot be read \(ENXIO\)/],
  ['circle.yaml', /it cannot be read \(ELOOP\)/]
]

t.test('refused references', async (t) => {
  const folder = await surroundings(t)
  const server = createServer().listen(relative('.', join(folder, 'api/socket.yaml')))
  t.teardown(() => server.close())
  for (const [reference, message] of references) {
    const written = reference.replace('FOLDER', folder)
    const { messages, files } = await outcome(folder, contractWith(`{ $ref: '${written}' }`))
    t.match(messages, message, reference)
    t.match(messages, /^\S+openapi\.yaml:6:\d+ /, `${reference} has a place`)
    t.notMatch(messages, secret)
    t.notMatch(messages, /Did you mean `\.\./)
    t.strictSame(
      files
        .map((file) => relative(join(folder, 'api'), file))
        .filter((file) => /^(\.\.\/|link|zero|folder)/.test(file)),
      [],
      `${reference} is not watched`
    )
  }
})

t.test('whatever holds a reference, nothing outside of the folder is published', async (t) => {
  const folder = await surroundings(t)
  await writeFile(join(folder, 'api/parts/nested.yaml'), "{ $ref: '../../home/secret.yaml' }")
  const to = (reference: string) => [
    contractWith(`{ $ref: parts/nested.yaml }`),
    contractWith('{}', `  /other: { $ref: '${reference}#/pathItem' }`),
    contractWith('{}', `  /other: { $ref: '${reference}' }`),
    contractWith(`{ example: { $ref: '${reference}' } }`),
    contractWith(`{ default: { $ref: '${reference}' } }`),
    contractWith(`{ x-data: { $ref: '${reference}' } }`),
    contractWith(
      `{ oneOf: [{ type: object }], discriminator: { propertyName: a, mapping: { b: '${reference}' } } }`
    ),
    contractWith('{}', `components: { examples: { a: { externalValue: '${reference}' } } }`),
    contractWith('{}', `components: { examples: { a: { value: { $ref: '${reference}' } } } }`),
    contractWith('{}', `components: { examples: { a: { $ref: '${reference}' } } }`),
    contractWith('{}', `components: { parameters: { a: { $ref: '${reference}' } } }`),
    contractWith('{}', `components: { securitySchemes: { a: { $ref: '${reference}' } } }`),
    contractWith('{}', `components: { callbacks: { a: { $ref: '${reference}' } } }`),
    contractWith('{}', `components: { links: { a: { operationRef: '${reference}' } } }`),
    contractWith('{}', `x-data: { $ref: '${reference}' }`),
    contractWith('{}').replace('title: Things', `title: Things, description: { $ref: '${reference}' }`)
  ]
  for (const reference of ['../home/secret.yaml', '../home/key', 'link.yaml', 'folder/secret.yaml', 'key'])
    for (const text of to(reference)) {
      const { messages, written } = await outcome(folder, text)
      t.notMatch(`${messages}${written}`, secret, `${reference} in ${text.split('\n').slice(5).join(' ')}`)
    }
})

t.test('a folder above can be allowed, and links within the folder are followed', async (t) => {
  const folder = await surroundings(t)
  const inner = await outcome(folder, contractWith('{ $ref: inner.yaml }'))
  t.match(inner.written, /maxLength/)
  for (const reference of ['../home/secret.yaml', 'link.yaml', 'folder/secret.yaml']) {
    const { written } = await outcome(folder, contractWith(`{ $ref: ${reference} }`), folder)
    t.match(written, secret, reference)
  }
  const { messages } = await outcome(folder, contractWith('{}'), join(folder, 'home'))
  t.match(messages, outside, 'the contract itself is below the folder, too')
})

t.test('the root file is a file of the folder, and no other line is shown', async (t) => {
  const folder = await surroundings(t)
  await symlink('../../home/key', join(folder, 'api/parts/openapi.yaml'))
  const compiled = (path: string) => compileContract(join(folder, path), join(folder, 'out'))
  const refused = { message: outside, problems: [{ line: 1, hidesLine: true }] }
  await t.rejects(compiled('api/parts/openapi.yaml'), refused)
  await t.rejects(compiled('home/key'), {
    message: /expected an OpenAPI document/,
    problems: [{ hidesLine: true }]
  })
  await writeFile(join(folder, 'home/broken'), `${secret}: [\n- "`)
  await t.rejects(compiled('home/broken'), { message: /./, problems: [{ hidesLine: true }] })
})

t.test('the bytes of all files are bounded', async (t) => {
  const folder = await surroundings(t)
  await writeFile(join(folder, 'api/large.yaml'), '')
  await truncate(join(folder, 'api/large.yaml'), 2 ** 40)
  const { messages } = await outcome(folder, contractWith('{ $ref: large.yaml }'))
  t.match(messages, /openapi\.yaml:6:\d+ .*the files of a contract may have 64 MiB together/)
  const files = new ContractFolder(join(folder, 'api'))
  await writeFile(join(folder, 'api/half.yaml'), Buffer.alloc(40 * 2 ** 20))
  const half = files.find(join(folder, 'api/half.yaml')) ?? ''
  await files.read(half)
  await t.rejects(files.read(half), { message: /64 MiB together/ })
})

t.test('a folder that is not there has no files, and still bounds them', async (t) => {
  const gone = join(await surroundings(t), 'gone')
  const files = new ContractFolder(gone)
  t.equal(files.find(join(gone, 'openapi.yaml')), undefined)
  t.strictSame(files.names(gone), [])
  t.throws(() => files.find(join(gone, '../home/secret.yaml')), { message: outside })
})

t.test('a link that is put in the place of a file is not followed', async (t) => {
  const folder = await surroundings(t)
  for (const name of ['link.yaml', 'inner.yaml', 'zero.yaml'])
    await t.rejects(disk.read(join(folder, 'api', name), 1000), { code: 'ELOOP' }, name)
})
