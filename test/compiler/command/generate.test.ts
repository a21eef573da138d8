import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ProjectCopy, serviceOnly } from '../../e2e/project-copy.ts'
import { addListPlants, breakSecurity, requireTag } from '../../scripts/contract-edits.ts'

t.setTimeout(900_000)
const copy = await ProjectCopy.make(t, { checked: serviceOnly })
t.beforeEach(() => copy.reset())

t.test('a usage error ends with exit code 2', async (t) => {
  const { code, output } = await copy.run('node scripts/generate.ts --contracts x')
  t.equal(code, 2)
  t.match(output, /^--contracts is not an option; expected --contract, .*--help\n$/)
})

t.test('--check exits with 0 when the files are up to date and with 1 when not', async (t) => {
  t.same(await copy.generate('--check'), { code: 0, output: 'generated is up to date\n' })
  await copy.edit('openapi.yaml', requireTag)
  t.match(await copy.generate('--check'), {
    code: 1,
    output:
      /\n\nbreaking: POST \/plants body\/tag: now required \(was optional\)\ncompatible: POST \/plants 200\/body\/tag: now required \(was optional\)\nNext: npm run generate\n$/
  })
})

t.test('a run ends with what changed, and prints a stub of a missing handler', async (t) => {
  t.match(
    (await copy.generate()).output,
    /^ {2}compiled {2}1 operation into generated in \d+ ms\n\nnothing has changed\n$/
  )
  await copy.edit('openapi.yaml', (text) => addListPlants(requireTag(text)))
  const { code, output } = await copy.generate()
  t.equal(code, 0)
  t.match(
    output,
    'operation listPlants has no handler (GET /plants)\n  it goes into src/plants/list-plants.ts:\n'
  )
  t.match(output, "    export function listPlants(): Handlers['listPlants'] {\n")
  t.match(output, '  and into src/plants/handlers.ts:\n\n    listPlants: listPlants()\n')
  t.match(
    output,
    /\n\nbreaking: POST \/plants body\/tag: now required \(was optional\)\ncompatible: POST \/plants 200\/body\/tag: now required \(was optional\), GET \/plants added\nNext: npm run typecheck\n$/
  )
  t.match(await copy.checkTypes(), /src\/plants\/handlers\.ts.*Property 'listPlants' is missing/)
})

t.test('--stubs writes handlers that type-check, lint and answer 501, and overwrites none', async (t) => {
  await copy.edit('openapi.yaml', addListPlants)
  t.match(
    (await copy.generate('--stubs')).output,
    'written: src/plants/list-plants.ts, and its line in src/plants/handlers.ts'
  )
  t.equal(await copy.checkTypes(), '')
  t.match(
    await copy.run('node_modules/.bin/biome check --error-on-warnings --vcs-enabled=false src/plants'),
    { code: 0 }
  )
  const { output } = await copy.start('node src/main.ts', /curl/, { AUTH_TOKENS: 'secret' })
  const [, url] = /service +(\S+)/.exec(output) ?? []
  const answer = await fetch(`${url}/plants`, { headers: { authorization: 'Bearer secret' } })
  t.equal(answer.status, 501)
  t.same(await answer.json(), { error: 5010, message: 'this is not implemented yet' })
  const mine = '// mine\n'
  await writeFile(join(copy.folder, 'src/plants/list-plants.ts'), mine)
  await copy.edit('src/plants/handlers.ts', (text) =>
    text.replace(/,\n +listPlants.*/, '').replace(/import { listPlants.*\n/, '')
  )
  const again = await copy.generate('--stubs')
  t.match(again.output, 'src/plants/list-plants.ts is there and was left as it is')
  t.equal(await copy.read('src/plants/list-plants.ts'), mine)
})

t.test(
  'Redocly, which takes a quarter of a compile to load, is loaded for the line of a problem only',
  async (t) => {
    const hook = `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.endsWith('@redocly/openapi-core/lib/index.js')) console.log('loads Redocly')
    return next(url, context)
  }
})
`
    const folder = t.testdir({ 'hook.mjs': hook })
    const generate = `node --import ${folder}/hook.mjs scripts/generate.ts`
    await copy.edit('openapi.yaml', requireTag)
    const { code, output } = await copy.run(generate)
    t.equal(code, 0)
    t.notMatch(output, 'loads Redocly')
    await copy.edit('openapi.yaml', breakSecurity)
    t.match((await copy.run(generate)).output, 'loads Redocly')
  }
)

t.test('each error is printed with its line, and nothing is written', async (t) => {
  await copy.edit('openapi.yaml', (text) => breakSecurity(text).replace('type: string\n', 'type: strng\n'))
  const lines = (await copy.read('openapi.yaml')).split('\n')
  const { code, output } = await copy.generate()
  t.equal(code, 1)
  const line = lines.indexOf('  - bearer: []') + 1
  t.match(output, `openapi.yaml:${line}:5 security scheme bearer is not declared`)
  t.match(output, `  ${line} |   - bearer: []\n     |     ^\n`)
  t.match(output, /\n2 errors; nothing was written\n$/)
  t.notMatch(output, '\u001b', 'no colour without a terminal')
})

t.test('--watch compiles after every save, in place or by rename, until a signal ends it', async (t) => {
  const { child, output } = await copy.start('exec node scripts/generate.ts --watch', /waiting/)
  t.match(output, 'nothing has changed')
  let shown = ''
  child.stdout?.on('data', (text) => {
    shown += text
  })
  child.stderr?.on('data', (text) => {
    shown += text
  })
  // Standard output and standard error are two pipes: their texts arrive in no defined order.
  const until = async (want: RegExp) => {
    const deadline = performance.now() + 30_000
    while (!want.test(shown)) {
      if (performance.now() > deadline) throw new Error(`${want} was not shown: ${shown}`)
      await new Promise((done) => setTimeout(done, 20))
    }
    shown = ''
  }
  await copy.run(
    `sed 's/required: \\[name\\]$/required: [name, tag]/' openapi.yaml > next.yaml && mv next.yaml openapi.yaml`
  )
  await until(/body\/tag: now required[\s\S]*waiting/)
  await copy.edit('openapi.yaml', breakSecurity)
  await until(/(?=[\s\S]*bearer is not declared)[\s\S]*waiting/)
  await copy.edit('openapi.yaml', (text) =>
    text
      .replace('  - bearer: []', '  - bearerAuth: []')
      .replace("$ref: '#/components/schemas/NewPlant'", "$ref: 'new-plant.yaml'")
  )
  await until(/(?=[\s\S]*new-plant\.yaml)[\s\S]*waiting/)
  await writeFile(
    join(copy.folder, 'new-plant.yaml'),
    'type: object\nproperties: { id: { type: integer, format: int64 } }\nrequired: [id]\n'
  )
  await until(/waiting/)
  child.kill('SIGINT')
  t.same(await new Promise((done) => child.once('exit', (code) => done(code))), 0)
})
