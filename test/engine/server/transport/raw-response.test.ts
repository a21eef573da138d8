import t from 'tap'
import { exchange } from './raw-client.ts'
import { listening } from './transport-server.ts'

t.test('an errorBody that throws leaves the status without a body', async (t) => {
  const broken = await listening(() => {
    throw new Error('broken')
  })
  t.teardown(() => broken.app.close())
  const found = await exchange(broken.port, 'garbage\r\n\r\n')
  t.same(
    found.responses.map(({ status, body }) => [status, body]),
    [[400, '']]
  )
})
