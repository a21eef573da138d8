/** A project that an earlier version has made is updated by the step of docs/tasks/update.md, and still passes its tests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { format } from '../../src/engine/model/format.ts'
import { writeSecurity } from './project.ts'
import { shell } from './shell.ts'

t.setTimeout(1_800_000)

const project = resolve(import.meta.dirname, '../..')
/** Last commit of version 1.0.0. */
const earlier = 'a83b0183'
const folder = mkdtempSync(join(tmpdir(), 'update-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const [engine, made] = [join(folder, 'plant-store'), join(folder, 'lending')]

async function run(t: Test, command: string, where: string): Promise<string> {
  const { code, output } = await shell(command, { folder: where })
  if (!t.equal(code, 0, command)) t.comment(output.slice(-4000))
  return output
}

const { code } = await shell(`git cat-file -e ${earlier}^{commit}`, { folder: project })
const skip = code === 0 ? false : `this clone has no commit ${earlier}: git fetch --unshallow`

t.test('a project of the earlier version passes its tests', { skip }, async (t) => {
  await run(
    t,
    `git clone --quiet ${project} ${engine} && git -C ${engine} checkout --quiet ${earlier}`,
    folder
  )
  await run(t, 'npm ci --prefer-offline --no-audit --no-fund', engine)
  const contract = join(project, 'test/projects/contracts/trains.yaml')
  await run(t, `npm run new -- ${made} --contract ${contract} --mock`, engine)
  await writeSecurity(made, 'OAuth2')
  t.match(await run(t, 'npm test', made), /ℹ fail 0\n.*ℹ todo 0\n/s)
})

t.test('the step of docs/tasks/update.md brings the packages of now', { skip }, async (t) => {
  const page = readFileSync(join(project, 'docs/tasks/update.md'), 'utf8')
  const [, step = ''] = /```sh\n(.*?)```/s.exec(page) ?? []
  const here = step
    .replace('cd ../plant-store && git pull && npm ci', () => `cd ${project}`)
    .replace('../lending', () => made)
  t.not(here, step)
  await run(t, `set -e; ${here}`, made)
  const installed = join(made, 'node_modules/@contract-first/engine/dist/model/format.js')
  t.match(readFileSync(installed, 'utf8'), `'${format}'`, 'the engine of now is installed')
  t.match(await run(t, 'npm run generate', made), /^nothing (?:that the contract says )?has changed$/m)
  for (const command of [
    'npm run typecheck',
    'npm run lint',
    'npm run generate -- --check',
    'npm ci --dry-run'
  ])
    await run(t, command, made)
  t.match(await run(t, 'npm test', made), /ℹ fail 0\n.*ℹ todo 0\n/s)
})
