/** Compiles and runs docs/client.md, in a copy of the project and against its server. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ProjectCopy, serviceOnly } from '../e2e/project-copy.ts'
import { addListPlants } from '../scripts/contract-edits.ts'

t.setTimeout(300_000)

const [client = '', use = ''] = [
  ...(await readFile('docs/client.md', 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms)
].map(([, text = '']) => text)

/** Handler of an operation that returns ids, for the direction from server to client. */
const listPlants = `import type { Handlers } from '../../generated/types.ts'
import type { Store } from '../store/store.ts'

export function listPlants(store: Store): Handlers['listPlants'] {
  return async () => {
    const ids = await Array.fromAsync(store.export(), ({ id }) => id)
    return { status: 200, body: ids.map((id) => ({ id, name: 'x' })) }
  }
}
`

const list = `import { createPlantClient } from './client.ts'
const client = createPlantClient(process.env['URL'] ?? '', process.env['TOKEN'] ?? '')
const { data = [] } = await client.GET('/plants')
const ids: bigint[] = data.map(({ id }) => id)
console.log(ids.map((id) => \`\${typeof id} \${id}\`).join())
const refused = await client.POST('/plants', { body: { id: 9223372036854775807n, name: 'another' } })
console.log(refused.error?.error, refused.response.status)
`

const mistakes: readonly string[] = [
  "await client.POST('/plants', { body: { id: 1, name: 'x' } })",
  "await client.POST('/plants', { body: { id: 1n } })",
  "await client.POST('/plants', {})",
  "await client.GET('/plants/{id}')",
  "void (await client.POST('/plants', { body: { id: 1n, name: 'x' } })).data?.id"
]
const proof = `import { createPlantClient } from './client.ts'
const client = createPlantClient('', '')
${mistakes.map((line) => `// @ts-expect-error\n${line}`).join('\n')}
`

t.test('the client of the documentation compiles, and ids are exact in both directions', async (t) => {
  const copy = await ProjectCopy.make(t, { checked: [...serviceOnly, 'src/*.ts'] })
  await copy.edit('openapi.yaml', addListPlants)
  t.match(await copy.generate('--stubs'), { code: 0 })
  await copy.edit('src/plants/handlers.ts', (text) => text.replace('listPlants()', 'listPlants(store)'))
  for (const [file, text] of [
    ['src/plants/list-plants.ts', listPlants],
    ['src/client.ts', client],
    ['src/use.ts', use],
    ['src/list.ts', list],
    ['src/proof.ts', proof]
  ] as const) {
    await writeFile(join(copy.folder, file), text)
  }
  t.equal(await copy.checkTypes(), '')

  const { output } = await copy.start('node src/main.ts', /curl/, { AUTH_TOKENS: 'secret' })
  const environment = { URL: /service +(\S+)/.exec(output)?.[1] ?? '', TOKEN: 'secret' }
  t.same(await copy.run('node src/use.ts', environment), { code: 0, output: 'stored: Monstera deliciosa\n' })
  t.match(
    (await copy.run('node scripts/export.ts')).output,
    '{"id":9223372036854775807,"name":"Monstera deliciosa"'
  )
  t.same(await copy.run('node src/list.ts', environment), {
    code: 0,
    output: 'bigint 9223372036854775807\n4002 400\n'
  })
  t.match((await copy.run('node src/use.ts', { ...environment, TOKEN: 'wrong' })).output, /^4011: /)
})
