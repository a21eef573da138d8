import { join } from 'node:path'
import t from 'tap'
import {
  contractFile,
  contractRoot,
  readProject
} from '../../../../src/compiler/command/generate/read-project.ts'

t.test('the working directory of this project serves openapi.yaml strictly', async (t) => {
  const folder = process.cwd()
  t.strictSame(readProject(), {
    folder,
    contract: join(folder, 'openapi.yaml'),
    root: folder,
    out: join(folder, 'generated'),
    handlers: join(folder, 'src/plants'),
    formats: undefined,
    client: true,
    isStrict: true
  })
})

t.test('a folder without package.json, or without settings, has defaults', async (t) => {
  const folder = t.testdir({ named: { 'package.json': '{ "name": "named" }' } })
  for (const project of [folder, join(folder, 'named')])
    t.strictSame(readProject(project), {
      folder: project,
      contract: join(project, 'openapi.yaml'),
      root: project,
      out: join(project, 'generated'),
      handlers: join(project, 'src/handlers'),
      formats: undefined,
      client: true,
      isStrict: false
    })
})

t.test('package.json names other files', async (t) => {
  const settings = {
    file: 'api/museum.json',
    out: 'made',
    handlers: 'lib',
    formats: 'lib/formats.ts',
    client: false,
    strict: true
  }
  const folder = t.testdir({ 'package.json': JSON.stringify({ contract: settings }) })
  t.strictSame(readProject(folder), {
    folder,
    contract: join(folder, 'api/museum.json'),
    root: join(folder, 'api'),
    out: join(folder, 'made'),
    handlers: join(folder, 'lib'),
    formats: join(folder, 'lib/formats.ts'),
    client: false,
    isStrict: true
  })
})

for (const [name, settings] of Object.entries({
  strict: { strict: 'yes' },
  folder: { folder: 'x' },
  toString: { toString: 'x' }
})) {
  t.test(`the setting ${JSON.stringify(settings)} is refused`, async (t) => {
    const folder = t.testdir({ 'package.json': JSON.stringify({ contract: settings }) })
    const problem = `"contract" in package.json: ${name} is not one of file (string), root (string), out (string), handlers (string), formats (string), client (boolean), strict (boolean)`
    t.throws(() => readProject(folder), { message: problem })
  })
}

t.test('a package.json that is not JSON is refused in a sentence', async (t) => {
  const folder = t.testdir({ 'package.json': '{ "name": ' })
  t.throws(() => readProject(folder), { message: /package\.json is not JSON: / })
})

t.test(
  'references may lead to files below the folder of the contract, or below another that is named',
  async (t) => {
    const settings = { file: 'api/museum.json', root: '.' }
    const folder = t.testdir({ 'package.json': JSON.stringify({ contract: settings }) })
    t.equal(readProject(folder).root, folder)
    t.equal(contractRoot(join(folder, 'api/museum.json'), undefined, folder), folder)
    t.equal(contractRoot(join(folder, 'api/other.json'), undefined, folder), join(folder, 'api'))
    t.equal(contractRoot(join(folder, 'api/other.json'), '..', folder), join(folder, '..'))
  }
)

t.test('the formats of a project are those of its contract, and of no other', async (t) => {
  const folder = t.testdir({ 'package.json': JSON.stringify({ contract: { formats: 'formats.ts' } }) })
  const line = { words: [], is: () => false, value: () => undefined }
  const own = contractFile(line as never, 'openapi.yaml', folder)
  t.equal(own.formats, join(folder, 'formats.ts'))
  t.notOk('formats' in contractFile(line as never, 'other.yaml', folder))
})

t.test('a URL in the place of the contract is refused', (t) => {
  const folder = t.testdir({ 'package.json': '{ "contract": { "file": "https://a.example/x.yaml" } }' })
  t.throws(() => readProject(folder), {
    message: /^"contract" in package.json: file https:\/\/a.example\/x.yaml is a URL, and only files are read/
  })
  t.end()
})
