/** The end of `npm run dev` by a signal: no process and no port is left. */
import t from 'tap'
import { ProjectCopy } from '../../../e2e/project-copy.ts'
import { breakSecurity, requireTag } from '../../../scripts/contract-edits.ts'
import { until } from '../../../time.ts'
import { DevSession, processesIn } from './dev-session.ts'

t.setTimeout(900_000)

const copy = await ProjectCopy.make(t)

/** The phases of a save, each recognised by its effect. */
const moments: readonly [when: string, reached: (dev: DevSession) => Promise<unknown>][] = [
  [
    'when the compiled files are written, while the next server takes the port',
    (dev) => until(async () => (await dev.copy.read('generated/types.ts')).includes('tag: string'))
  ],
  ['when it is served, while another server is started', (dev) => dev.shows(/serving after/)]
]

for (const [when, reached] of moments) {
  t.test(`a signal after a save ends every process: ${when}`, async (t) => {
    const dev = await DevSession.start(t, { copy })
    await dev.copy.edit('openapi.yaml', requireTag)
    await reached(dev)
    t.ok(processesIn(dev.copy.folder).length > 1)
    t.equal(await dev.end('SIGINT'), 0)
    t.strictSame(processesIn(dev.copy.folder), [])
    await t.rejects(fetch(dev.url))
  })
}

t.test('SIGKILL of npm run dev ends its servers as well', async (t) => {
  const dev = await DevSession.start(t, { copy })
  t.ok(processesIn(dev.copy.folder).length >= 3, 'itself and two servers')
  await dev.end('SIGKILL')
  await until(() => processesIn(dev.copy.folder).length === 0)
  t.strictSame(processesIn(dev.copy.folder), [])
  await t.rejects(fetch(dev.url), 'nothing listens')
})

t.test('SIGINT ends it before any server runs', async (t) => {
  await copy.reset()
  await copy.edit('openapi.yaml', breakSecurity)
  const { child } = await copy.start('exec node scripts/dev.ts', /no server is running/)
  child.kill('SIGINT')
  t.equal(await new Promise((done) => child.once('exit', done)), 0)
})
