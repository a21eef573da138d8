/** The mission in seconds: the service on its SQLite file, killed and started again, and a contract that is edited and served. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { generate as generateFiles } from '../../src/compiler/compiler.ts'
import { generate, serve } from '../contracts/drive.ts'
import { requireTag } from '../scripts/contract-edits.ts'
import { Service } from './service.ts'

t.setTimeout(900_000)

t.test('plants are stored in a file, survive a kill, and are taken only once', async (t) => {
  const database = `sqlite:${join(t.testdir(), 'plants.db')}`
  const first = await Service.start(t, database)
  const created = { status: 200, body: { name: 'Monstera' } }
  t.strictSame(await first.create(9007199254740993n), created)
  t.equal(await first.end('SIGKILL'), 'SIGKILL')
  const second = await Service.start(t, database)
  t.strictSame(await second.create(9007199254740993n), created, 'the same plant again is answered as before')
  t.match(await second.create(9007199254740993n, 'Fern'), { status: 400, body: { error: 4002 } })
  t.strictSame(await second.create(9007199254740992n, 'Fern'), { status: 200, body: { name: 'Fern' } })
  const page = await fetch(`${second.origin}/docs`)
  t.match(page.headers.get('content-type'), 'text/html')
  const html = await page.text()
  t.match(html, /<title>.*Plant Store/)
  t.notMatch(html, 'reload', 'no script of npm run dev')
  const contract = await fetch(`${second.origin}/openapi.yaml`)
  t.equal(await contract.text(), await readFile('openapi.yaml', 'utf8'))
  t.equal(await second.end('SIGTERM'), 0)
})

t.test('generated/ is what the contract compiles to', async (t) => {
  const paths = { contract: resolve('openapi.yaml'), out: resolve('generated') }
  const { differing, compiled } = await generateFiles({ ...paths, check: true })
  t.ok(compiled.files.size > 5)
  t.strictSame(differing, [])
})

t.test('an edit of the contract is compiled and served', async (t) => {
  const path = join(t.testdir(), 'openapi.yaml')
  await writeFile(path, requireTag(await readFile('openapi.yaml', 'utf8')))
  const { contract } = await generate(t, path)
  const { exchange } = await serve(t, contract)
  const post = { send: 'POST /plants', headers: { authorization: 'Bearer good' }, want: 0 }
  const refused = await exchange({ ...post, body: { id: 1, name: 'Fern' } })
  t.equal(refused.status, 400)
  t.match(refused.body, 'body/tag is required')
  const answer = { status: 200, body: { name: 'Fern', tag: 'shade' } }
  const accepted = await exchange({ ...post, body: { id: 1, name: 'Fern', tag: 'shade' }, answer })
  t.equal(accepted.status, 200)
  t.strictSame(accepted.seen['body'], { id: 1n, name: 'Fern', tag: 'shade' })
})
