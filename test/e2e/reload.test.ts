import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { digestLine } from '../../src/service/credentials/digest.ts'
import { sleep } from '../time.ts'
import { createLoad } from './clients.ts'
import { create, seen, start } from './running.ts'

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
  await reload('two words\n', /line 1: expected.*SIGHUP: tokens stay as they were/)
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
