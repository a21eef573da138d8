import { once } from 'node:events'
import { connect } from 'node:net'
import t, { test } from 'tap'
import { sleep, until } from '../time.ts'
import { create, seen, start, token } from './running.ts'

t.setTimeout(900_000)

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

test('each request is logged once, with the id of its X-Request-Id', async (t) => {
  const running = await start(t)
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`
  const answer = await create(running.url, { id: 1, name: 'x' }, { traceparent })
  t.equal(answer.headers.get('x-request-id'), trace)
  await seen(running.output, new RegExp(`${trace}.*"status":(?!503).*"msg":"request"`))
  // A stalled machine sheds load, and `create` sends it again.
  const lines = running.log().filter(({ requestId, status }) => requestId === trace && status !== 503)
  t.match(lines, [
    {
      level: 30,
      method: 'POST',
      route: '/plants',
      operationId: 'createPlant',
      principal: /^token:[0-9a-f]{8}$/,
      status: 200,
      ms: Number
    }
  ])
  t.equal(lines.length, 1)
})

test('neither credentials nor bodies are logged, also when they are invalid', async (t) => {
  const running = await start(t, { LOG_LEVEL: 'trace' })
  const secret = 'Xecret0123456789'
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const wrong: readonly RequestInit[] = [
    { headers, body: JSON.stringify({ id: 1, name: secret }) },
    { headers, body: JSON.stringify({ id: 1, name: `${secret} too` }) },
    { headers, body: JSON.stringify({ id: secret, name: 1 }) },
    { headers, body: `{"id":1,"name":"${secret}` },
    { headers, body: secret },
    { headers: { ...headers, authorization: `Bearer ${secret}` }, body: '{}' },
    { headers: { ...headers, authorization: `Basic ${secret}` }, body: '{}' },
    { headers: { ...headers, cookie: secret, 'x-request-id': `${secret} {}` }, body: '{}' },
    { headers: { ...headers, 'content-type': secret }, body: '{}' }
  ]
  for (const options of wrong)
    await (await fetch(`${running.url}/plants`, { method: 'POST', ...options })).text()
  await fetch(`${running.url}/nowhere?${secret}`)
  await fetch(`${running.url}/%${secret}`)
  const socket = connect(running.port, '127.0.0.1')
  socket.resume().end(`GET / HTTP/1.1\r\nauthorization: ${secret}\r\nbroken ${secret}\r\n\r\n`)
  await once(socket, 'close')
  await sleep(200)
  t.ok(running.log().length >= wrong.length)
  t.notMatch(running.output(), secret)
  t.notMatch(running.output(), token)
})

test('metrics count requests, refusals and commits, and have a listener of their own', async (t) => {
  const running = await start(t, { METRICS_PORT: '0' })
  const metrics = await seen(running.output, /"url":"(http:\/\/127\.0\.0\.1:\d+\/metrics)"/)
  t.equal((await create(running.url, { id: 1, name: 'x' })).status, 200)
  t.equal((await create(running.url, { id: 1, name: 'y' })).status, 400)
  t.equal((await create(running.url, { id: 1 })).status, 400)
  t.equal((await create(running.url, {}, { authorization: '' })).status, 401)
  const wanted = [
    'http_request_duration_seconds_count{operation="createPlant",status="200"} 1',
    'http_request_duration_seconds_count{operation="createPlant",status="400"} 2',
    'http_refusals_total{error="4001"} 1',
    'http_refusals_total{error="4002"} 1',
    'http_refusals_total{error="4010"} 1',
    'store_commit_duration_seconds_count{outcome="committed"} 2',
    'store_batch_size_sum 2',
    'store_queue_depth 0',
    'store_checkpoints_total 0'
  ]
  let lines: string[] = []
  // A response is counted after it was sent, so that the client may see it first.
  await until(async () => {
    lines = (await (await fetch(metrics)).text()).split('\n')
    return wanted.every((line) => lines.includes(line))
  })
  for (const line of wanted) t.ok(lines.includes(line), line)
  t.ok(lines.some((line) => /^store_wal_bytes [1-9]/.test(line)))
  t.equal((await fetch(`${running.url}/metrics`)).status, 404)
  await seen(running.output, /"error":4002,"reason":"the id is taken by a different plant"/)
})
