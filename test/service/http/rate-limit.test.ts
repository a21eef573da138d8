import { type Test, test } from 'tap'
import { limitRate } from '../../../src/service/http/rate-limit.ts'
import { sleep } from '../../time.ts'
import { createService } from './service.ts'

/** Takes the `authorization` header as the principal. */
async function service(t: Test, max?: number, windowMs = 60_000) {
  const app = createService(t)
  await limitRate(
    app,
    max === undefined ? undefined : { max, windowMs },
    ({ headers }) => headers.authorization
  )
  app.post('/', async () => 'ok')
  return (principal?: string, payload?: string) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: {
        ...(principal && { authorization: principal }),
        ...(payload && { 'content-type': 'application/json' })
      },
      ...(payload && { payload })
    })
}

test('requests beyond the limit get 429 with Retry-After, and every answer states the limit', async (t) => {
  const ask = await service(t, 2)
  const answers = [await ask('alice'), await ask('alice'), await ask('alice')]
  t.strictSame(
    answers.map(({ statusCode, headers }) => [
      statusCode,
      headers['ratelimit-limit'],
      headers['ratelimit-remaining'],
      headers['ratelimit-reset'],
      headers['retry-after']
    ]),
    [
      [200, '2', '1', '60', undefined],
      [200, '2', '0', '60', undefined],
      [429, '2', '0', '60', '60']
    ]
  )
  t.strictSame(answers[2]?.json(), {
    code: 'too-many-requests',
    message: 'more than 2 requests in 60 s; Retry-After says when to come back'
  })
})

test('each principal has its own count; requests without a principal are not counted', async (t) => {
  const ask = await service(t, 1)
  t.equal((await ask('alice')).statusCode, 200)
  t.equal((await ask('bob')).statusCode, 200)
  t.equal((await ask('alice')).statusCode, 429)
  for (let turn = 0; turn < 3; turn += 1) t.equal((await ask()).statusCode, 200)
})

test('the next window begins at zero', async (t) => {
  const ask = await service(t, 1, 1_000)
  t.equal((await ask('alice')).statusCode, 200)
  t.equal((await ask('alice')).statusCode, 429)
  await sleep(1_050)
  t.equal((await ask('alice')).statusCode, 200)
})

test('over the limit the body is not read', async (t) => {
  const ask = await service(t, 1)
  t.equal((await ask('alice', '{}')).statusCode, 200)
  t.equal((await ask('alice', 'no json')).statusCode, 429)
})

test('without a limit nothing is counted', async (t) => {
  const ask = await service(t)
  const answer = await ask('alice')
  t.equal(answer.statusCode, 200)
  t.notOk('ratelimit-limit' in answer.headers)
})
