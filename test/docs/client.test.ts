/** Compiles and runs docs/client.md, in a copy of the project and against its server. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ProjectCopy, serviceOnly } from '../e2e/project-copy.ts'

t.setTimeout(900_000)

const blocks = [...(await readFile('docs/client.md', 'utf8')).matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)]

const mistakes: readonly string[] = [
  "await client.createPlant({ body: { id: 1, name: 'x' } })",
  'await client.createPlant({ body: { id: 1n } })',
  'await client.createPlant()',
  "await client.createPlant({ body: { id: 1n, name: 'x' }, query: {} })",
  "await client.createPlant({ body: { id: 1n, name: 'x' }, contentType: 'text/plain' })",
  'await client.listPlants()',
  "createClient(contract, { security: { other: 'x' } })",
  "createClient(contract, { security: { bearerAuth: { username: 'x', password: 'y' } } })",
  'void answer.body.name',
  'void (answer.status === 200 && answer.body.id)',
  'void (answer.status === 299)',
  "void (answer.status === 401 && answer.headers['WWW-Authenticate'])"
]
const proof = `import { createClient } from '@contract-first/engine/client'
import contract from '../generated/contract.ts'
const client = createClient(contract)
const answer = await client.createPlant({ body: { id: 1n, name: 'x' } })
const allowed: string | undefined = answer.status === 405 ? answer.headers.allow : undefined
${mistakes.map((line) => `// @ts-expect-error\n${line}`).join('\n')}
void allowed
`

/** The types of a browser are those of a project of its own. */
const globals = 'declare const location: { origin: string }\ndeclare const document: { title: string }\n'

t.test('the client of the documentation compiles and runs', async (t) => {
  const copy = await ProjectCopy.make(t, { checked: [...serviceOnly, 'src/*.ts', 'test/*.ts'] })
  t.equal(blocks.length, 5)
  await mkdir(join(copy.folder, 'test'), { recursive: true })
  for (const [, file = '', text = ''] of [...blocks, ['', 'src/proof.ts', proof]])
    await writeFile(join(copy.folder, file), file === 'src/page.ts' ? `${globals}${text}` : text)
  t.equal(await copy.checkTypes(), '')

  const { output } = await copy.start('node src/main.ts', /curl/, { AUTH_TOKENS: 'secret' })
  const environment = { URL: /service +(\S+)/.exec(output)?.[1] ?? '', TOKEN: 'secret' }
  t.same(await copy.run('node src/use.ts', environment), { code: 0, output: 'stored: Monstera deliciosa\n' })
  t.match(
    (await copy.run('node scripts/export.ts')).output,
    '{"id":9223372036854775807,"name":"Monstera deliciosa"'
  )
  t.match((await copy.run('node src/use.ts', { ...environment, TOKEN: 'wrong' })).output, /^401: /)
  t.same(await copy.run('node src/mismatch.ts'), { code: 0, output: 'createPlant body/id\n' })
  t.same(await copy.run('node src/fresh.ts', environment), { code: 0, output: '200\n' })
  t.match(await copy.run('node --test test/plants.test.ts'), {
    code: 0,
    output: 'a plant is answered by its name'
  })
})
