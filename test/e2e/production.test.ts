/** The installation for production: run-time dependencies only, from the lock file, on the installed Node. */
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t, { test } from 'tap'
import { megabytes } from '../projects/project.ts'
import { create, run, seen, token } from './running.ts'

t.setTimeout(900_000)

const needed = ['package.json', 'package-lock.json', '.npmrc', 'openapi.yaml', 'generated', 'scripts', 'src']

/** Most libraries in production, so that an increase is noticed. */
const maxLibraries = 71
const maxMegabytes = 40

test('npm ci --omit=dev --ignore-scripts, then node src/main.ts', async (t) => {
  const folder = t.testdir({})
  for (const name of needed) cpSync(name, `${folder}/${name}`, { recursive: true })
  await promisify(execFile)('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline'], {
    cwd: folder
  })
  const { packages } = JSON.parse(readFileSync(`${folder}/node_modules/.package-lock.json`, 'utf8'))
  const libraries = Object.keys(packages).filter((name) => !/^src\/|@contract-first\//.test(name))
  t.ok(libraries.length <= maxLibraries, `${libraries.length} libraries`)
  const size = await megabytes(`${folder}/node_modules`)
  t.ok(size <= maxMegabytes, `${size} MB`)
  t.notOk(readdirSync(`${folder}/node_modules`).includes('typescript'))
  const environment = {
    CWD: folder,
    NODE_ENV: 'production',
    PORT: '0',
    AUTH_TOKENS: token,
    METRICS_PORT: '0',
    RATE_LIMIT: '100/1m',
    CORS_ORIGIN: 'https://a.example'
  }
  const { child, output, ended } = run(t, environment, [], `${folder}/src/main.ts`)
  const url = await seen(output, /listening at (http:\S+?)"/)
  t.equal((await create(url, { id: 1, name: 'x' })).status, 200)
  t.equal((await fetch(`${url}/docs`)).status, 200)
  child.kill('SIGTERM')
  t.match(await ended, { code: 0 })
})
