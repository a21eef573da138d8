/** The mission in seconds: the service on its SQLite file, killed and started again, and a contract that is edited and served. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { generate as generateFiles } from '../../src/compiler/compiler.ts'
import { generate, serve } from '../contracts/drive.ts'
import { requireTag } from '../scripts/contract-edits.ts'
import { create, end, type Running, start } from './running.ts'

t.setTimeout(900_000)

t.test('plants are stored in a file, survive a kill, and are taken only once', async (t) => {
  const DATABASE_URL = `sqlite:${join(t.testdir(), 'plants.db')}`
  const large = '{"id":9007199254740993,"name":"Monstera"}'
  const first = await start(t, { DATABASE_URL, CWD: process.cwd() })
  const answerTo = async ({ url }: Running, plant: string) => {
    const answer = await create(url, plant)
    return [answer.status, await answer.json()]
  }
  t.strictSame(await answerTo(first, large), [200, { name: 'Monstera' }])
  t.equal(await end(first, 'SIGKILL'), 'SIGKILL')
  const second = await start(t, { DATABASE_URL, CWD: process.cwd() })
  t.strictSame(await answerTo(second, large), [200, { name: 'Monstera' }], 'is answered as before')
  t.match(await answerTo(second, large.replace('Monstera', 'Fern')), [400, { error: 4002 }])
  t.match(await answerTo(second, large.replace('3', '2')), [200, { name: 'Monstera' }])
  const page = await fetch(`${second.url}/docs`)
  t.match(page.headers.get('content-type'), 'text/html')
  const html = await page.text()
  t.match(html, /<title>.*Plant Store/)
  t.notMatch(html, 'reload', 'no script of npm run dev')
  const contract = await fetch(`${second.url}/openapi.yaml`)
  t.equal(await contract.text(), await readFile('openapi.yaml', 'utf8'))
  t.equal(await end(second, 'SIGTERM'), 0)
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
