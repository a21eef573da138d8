import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import t, { test } from 'tap'
import { digestLine } from '../../src/service/credentials/tokens.ts'
import { sleep } from '../time.ts'
import { createLoad } from './clients.ts'
import { create, seen, start } from './running.ts'

t.setTimeout(900_000)

test('SIGHUP under load rotates the tokens, and no request fails', async (t) => {
  const file = `${t.testdir({ tokens: 'old\n' })}/tokens`
  const running = await start(t, {
    AUTH_TOKENS: '',
    AUTH_TOKENS_FILE: file,
    CWD: process.cwd(),
    DATABASE_URL: `sqlite:${file}.db`
  })
  let bearer = 'old'
  const load = createLoad(running.url, 20, () => bearer)
  const reload = async (text: string, expected: RegExp) => {
    const before = running.output().length
    writeFileSync(file, text)
    running.child.kill('SIGHUP')
    await seen(() => running.output().slice(before), expected)
    await sleep(200)
  }
  await sleep(500)
  await reload(`old\n${digestLine('new')} # rotated\n`, /SIGHUP: tokens are read again/)
  bearer = 'new'
  await sleep(300)
  await reload(`${digestLine('new')}\n`, /SIGHUP: tokens are read again/)
  await reload('two=words\n', /line 1: expected.*SIGHUP: tokens stay as they were/)
  load.stop()
  await load.ended
  // A stalled machine sheds load with 503.
  const refusals = [...load.others].filter(([outcome]) => outcome !== '503')
  t.strictSame(refusals, [], 'no request was refused')
  t.ok(load.acknowledged.length > 100)
  const refused = await create(running.url, { id: 1, name: 'x' }, { authorization: 'Bearer old' })
  t.equal(refused.status, 401)
  t.match(refused.headers.get('www-authenticate'), /^Bearer .*error="invalid_token"/)
  t.match(await refused.json(), { error: 4011 })
})

test('300 SIGHUPs while the token file is rotated in every way do not end the process', async (t) => {
  const folder = t.testdir({ tokens: 'a-token-that-stays\n' })
  const file = `${folder}/tokens`
  const running = await start(t, {
    CWD: folder,
    NODE_ENV: 'production',
    AUTH_TOKENS: '',
    AUTH_TOKENS_FILE: file,
    DATABASE_URL: `sqlite:${folder}/new.db`
  })
  const put = (make: (path: string) => void) => {
    make(`${file}.new`)
    rmSync(file, { recursive: true, force: true })
    renameSync(`${file}.new`, file)
  }
  const text = (content: string) => put((path) => writeFileSync(path, content, { mode: 0o644 }))
  const ways: readonly (() => void)[] = [
    () => text('a-token-that-stays\nshort\n'),
    () => rmSync(file, { recursive: true, force: true }),
    () => text('a-token-that-st'),
    () => put((path) => mkdirSync(path)),
    () => text(''),
    () => put((path) => execFileSync('mkfifo', [path])),
    () => text('\0'.repeat(100)),
    () => put((path) => symlinkSync('nowhere', path))
  ]
  for (let round = 0; round < 300; round += 1) {
    ways[round % ways.length]?.()
    running.child.kill('SIGHUP')
    ways[(round + 1) % ways.length]?.()
    await sleep(round % 4)
  }
  /** Sends further signals, because the lines and the tokens of the last ones may be those of earlier files. */
  const reloaded = async (isDone: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 40; tries += 1) {
      running.child.kill('SIGHUP')
      await sleep(700)
      if (await isDone()) return true
    }
    return false
  }
  const byAnother = () => create(running.url, { id: 1, name: 'x' }, { authorization: 'Bearer another' })
  put((path) => mkdirSync(path))
  t.ok(await reloaded(() => /it is not a regular file/.test(running.output())))
  text(`a-token-that-stays\n${digestLine('another')}\n`)
  t.ok(await reloaded(async () => (await byAnother()).status === 200))
  t.notMatch(running.output(), /unhandled|a-token-that/)
})
