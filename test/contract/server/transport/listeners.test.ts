import t from 'tap'
import { exchange } from './raw-client.ts'
import { listening } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('the 405 to a CONNECT names the methods of the contract', async (t) => {
  const connect = await exchange(port, 'CONNECT b:80 HTTP/1.1\r\nHost: b:80\r\n\r\n')
  t.equal(connect.responses[0]?.headers.get('allow'), 'GET, POST', 'Allow')
})

t.test('a client that has closed its sending half gets its responses', async (t) => {
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
  for (const text of [slow, slow + slow]) {
    const { responses, ending } = await exchange(port, '', {
      wait: 500,
      talk: async (socket) => {
        socket.end(text)
      }
    })
    t.same([responses.length * slow.length, ending], [text.length, 'closed'])
  }
})
