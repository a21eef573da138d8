import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { until } from '../../../time.ts'
import { serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const document = {
  paths: { '/wait': { get: { operationId: 'wait', responses: { 200: { description: '' } } } } }
}

t.test('a listener of request.signal that throws is logged, and does not end the process', async (t) => {
  const called: string[] = []
  const run = (name: string) => () => {
    called.push(name)
    throw new Error(name)
  }
  const removed = run('removed')
  let isServed = false
  let signal: AbortSignal | undefined
  const wrong: Readonly<Record<string, (signal: AbortSignal) => void>> = {
    function: (signal) => signal.addEventListener('abort', run('function'), { once: true }),
    object: (signal) => signal.addEventListener('abort', { handleEvent: run('object') }),
    asynchronous: (signal) =>
      signal.addEventListener('abort', async () => {
        await wait(1)
        run('asynchronous')()
      }),
    onabort: (signal) => {
      signal.onabort = removed
      signal.onabort = run('onabort')
    },
    removed: (signal) => {
      signal.addEventListener('abort', removed)
      signal.removeEventListener('abort', removed)
      signal.onabort = removed
      signal.onabort = null
      Reflect.apply(signal.addEventListener, signal, ['abort', null])
      Reflect.apply(signal.removeEventListener, signal, ['abort', null])
      signal.addEventListener('abort', () => void called.push('removed is not called'))
    },
    twice: (signal) => {
      const listener = run('twice')
      signal.addEventListener('abort', listener)
      signal.addEventListener('abort', listener)
    },
    'of an API': (signal) => void wait(60_000, undefined, { signal }).catch(() => called.push('of an API'))
  }
  let use = Object.values(wrong)[0]
  const { port, log } = await serve(t, document, {
    handlers: {
      wait: async (request: { signal: AbortSignal }) => {
        signal = request.signal
        use?.(signal)
        isServed = true
        await until(() => signal?.aborted === true)
        return { status: 200 }
      }
    }
  })
  for (const [name, listen] of Object.entries(wrong)) {
    called.length = 0
    const before = log.length
    isServed = false
    use = listen
    await exchange(port, '', {
      wait: 0,
      talk: async (socket) => {
        socket.write('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n')
        await until(() => isServed)
      }
    })
    await until(() => called.length > 0)
    const isLogged = !['removed', 'of an API'].includes(name)
    await until(() => log.length >= before + (isLogged ? 1 : 0))
    t.strictSame(called, [isLogged || name === 'of an API' ? name : 'removed is not called'])
    const lines = log.slice(before).filter(({ callback }) => callback === 'a listener of request.signal')
    t.equal(lines.length, isLogged ? 1 : 0, name)
    if (name === 'onabort') t.type(signal?.onabort, 'function')
  }
  t.ok(signal instanceof AbortSignal)
})
