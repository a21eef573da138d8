import t from 'tap'
import { sleep } from '../../../time.ts'
import { compiled, request, serve } from '../../serve.ts'
import { document, handlers, setResult, shaped } from '../errors/failing-contract.ts'
import { exchange } from './raw-client.ts'

const contract = await compiled(t, document)

t.test('a server that is closing answers 503 with Connection: close and Retry-After', async (t) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  setResult(async () => {
    await held
    return { status: 200, body: 'late' }
  })
  const { app, port } = await serve(t, contract, { handlers, errorBody: shaped })
  const late = exchange(port, '', {
    wait: 5000,
    talk: async (socket) => {
      socket.write(request('GET /shaped'))
      await sleep(200)
      const closed = app.close()
      await sleep(100)
      socket.write(request('GET /own'))
      await sleep(100)
      release()
      await Promise.race([closed, sleep(3000)])
    }
  })
  const { responses, ending } = await late
  t.same(
    responses.map(({ status }) => status),
    [200, 503]
  )
  t.match(JSON.parse(responses[1]?.body ?? ''), { type: 'shutting-down', status: 503 })
  t.equal(responses[1]?.headers.get('connection'), 'close')
  t.ok(responses[1]?.headers.get('retry-after'))
  t.not(ending, 'reset')
})
