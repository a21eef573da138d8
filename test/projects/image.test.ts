/** The image, built by the steps of the Dockerfile and started as a container would be. */

import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import contract from '../../generated/contract.ts'
import manifest from '../../package.json' with { type: 'json' }

import { ProjectCopy } from '../e2e/project-copy.ts'
import { seen } from '../e2e/running.ts'
import { freePort } from '../ports.ts'
import { stagesOf } from './dockerfile.ts'
import { Image } from './image.ts'

t.setTimeout(900_000)
const root = mkdtempSync(join(tmpdir(), 'image-'))
chmodSync(root, 0o755)
t.teardown(() => rmSync(root, { recursive: true, force: true }))

/** The working tree of somebody who has used it: with secrets, stored plants and packages. */
const { folder: context } = await ProjectCopy.make(t)
const left = ['.env', 'secrets/tokens', 'data/plants.db', 'plants.ndjson', 'src/compiler/extra.ts']
for (const name of left) {
  mkdirSync(join(context, name, '..'), { recursive: true })
  writeFileSync(join(context, name), 'AUTH_TOKENS=secret')
}

const images = new Map<string, Image>()
const ignored = readFileSync('.dockerignore', 'utf8')
let image = new Image(join(root, 'none'), images)
for (const [index, stage] of stagesOf(readFileSync('Dockerfile', 'utf8')).entries()) {
  image = new Image(join(root, String(index)), images)
  await image.build(stage, context, ignored)
  images.set(stage.name, image)
}
const app = image.path('/app')
const filesOf = (folder: string) => globSync('**', { cwd: folder, exclude: ['node_modules/*/**'] }).sort()

t.test(
  'the image holds what runs: no secrets, no data, no compiler, no development dependency',
  async (t) => {
    for (const name of left) t.notOk(existsSync(join(app, name)), name)
    for (const folder of ['src/compiler', 'src/contract'])
      t.strictSame(globSync(`${folder}/**`, { cwd: app }).sort(), [folder, `${folder}/package.json`])
    t.notOk(existsSync(join(app, 'src/tools')))
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const development = Object.entries<{ dev?: boolean }>(lock.packages).filter(([, { dev }]) => dev === true)
    t.ok(development.length > 100)
    for (const [path] of development) t.notOk(existsSync(join(app, path, 'package.json')), path)
    for (const name of Object.keys(manifest.dependencies))
      t.ok(existsSync(join(app, 'node_modules', name, 'package.json')), name)
  }
)

t.test('the image holds every file of the contract', async (t) => {
  for (const { file } of contract.sources) {
    const path = resolve(app, 'generated', file)
    t.ok(path.startsWith(`${app}/`), file)
    t.equal(readFileSync(path, 'utf8'), readFileSync(resolve('generated', file), 'utf8'), file)
  }
})

t.test('its compiled code is readable by all and writable by root', async (t) => {
  const compiled = globSync('dist/compiled/**', { cwd: app })
  t.ok(compiled.length > 1)
  for (const name of compiled) {
    const { uid, mode } = lstatSync(join(app, name))
    t.match(
      { uid, isReadable: (mode & 0o004) > 0, isWritable: (mode & 0o022) > 0 },
      { uid: process.getuid?.(), isReadable: true, isWritable: false },
      name
    )
  }
})

t.test('a container serves, is healthy, writes to its volume only, and ends by its signal', async (t) => {
  // The health check has to know the port.
  const environment = { PORT: String(await freePort()), HOST: '127.0.0.1', AUTH_TOKENS: 'secret' }
  t.match(await image.health(environment), { code: 1, output: /does not answer/ })
  const before = filesOf(app)
  const { child, output } = image.start(environment)
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const url = await Promise.race([
    seen(output, /listening at (http:\S+?)"/),
    ended.then(() => Promise.reject(new Error(output())))
  ])
  t.strictSame(await image.health(environment), { code: 0, output: '' })
  const created = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: '{"id":1,"name":"Aloe"}'
  })
  t.strictSame([created.status, await created.text()], [200, '{"name":"Aloe"}'])
  t.equal((await fetch(`${url}/docs`)).status, 200)
  child.kill(image.stopSignal)
  t.strictSame(await ended, [0, null], output())
  t.ok(existsSync(image.path('/data/plants.db')))
  t.strictSame(filesOf(app), before, 'nothing is written beside it')
})

t.test('a container without credentials does not start', async (t) => {
  const { child, output } = image.start({ PORT: '0', HOST: '127.0.0.1' })
  t.strictSame(await once(child, 'exit'), [1, null])
  t.match(output(), /AUTH_TOKENS/)
})
