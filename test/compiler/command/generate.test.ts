/** `npm run generate` as a process, in a copy of the project. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ProjectCopy, serviceOnly } from '../../e2e/project-copy.ts'
import { addListPlants, breakSecurity, requireTag } from '../../scripts/contract-edits.ts'

t.setTimeout(900_000)
const copy = await ProjectCopy.make(t, { checked: serviceOnly })
t.beforeEach(() => copy.reset())

t.test('the exit code is 0, 1 for files that differ, and 2 for a usage error', async (t) => {
  const { code, output } = await copy.run('node scripts/generate.ts --contracts x')
  t.equal(code, 2)
  t.match(output, /^--contracts is not an option; expected --contract, .*--help\n$/)
  t.same(await copy.generate('--check'), { code: 0, output: 'generated is up to date\n' })
  await copy.edit('openapi.yaml', requireTag)
  t.match(await copy.run('node scripts/generate.ts --check'), {
    code: 1,
    output:
      /\n\nbreaking: POST \/plants body\/tag: now required \(was optional\)\ncompatible: POST \/plants 200\/body\/tag: now required \(was optional\)\nNext: npm run generate\n$/
  })
})

t.test('--stubs writes handlers that type-check, lint and answer 501, and overwrites none', async (t) => {
  await copy.edit('openapi.yaml', addListPlants)
  t.match((await copy.generate()).output, /\n\ncompatible: GET \/plants added\nNext: npm run typecheck\n$/)
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
})

t.test('--watch compiles after every save, in place or by rename, until a signal ends it', async (t) => {
  const { child, output } = await copy.start('exec node scripts/generate.ts --watch', /waiting/)
  t.match(output, 'nothing has changed')
  let shown = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
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
