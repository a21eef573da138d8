import t from 'tap'
import { exchange } from './raw-client.ts'
import { chunked, listening, post } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('100 Continue is sent when the body is read, and only then', async (t) => {
  const expect = `${post}Expect: 100-continue\r\nContent-Length: 5\r\n`
  const good = await exchange(port, `${expect}\r\nhello`)
  t.same(
    good.responses.map(({ status }) => status),
    [100, 200]
  )
  t.equal(good.ending, 'open')
  const refused = await exchange(port, `${expect}X-Refuse: 1\r\n\r\n`, { wait: 1500 })
  t.same(
    refused.responses.map(({ status }) => status),
    [401],
    'a refused request gets no 100 Continue'
  )
  t.equal(refused.responses[0]?.headers.get('connection'), 'close')
  t.equal(refused.ending, 'closed')
  const large = await exchange(port, `${post}Expect: 100-continue\r\n${chunked}\r\n`)
  t.same(
    large.responses.map(({ status }) => status),
    [100]
  )
})
