/** Hooks for preClose, which run when a drain begins. */
import Fastify, { type FastifyInstance } from 'fastify'
import { test } from 'tap'
import { collectPreClose } from '../../../src/service/http/connections.ts'

test('every hook runs once, in order, on its instance, at the drain or where the application is closed', async (t) => {
  for (const drains of [true, false]) {
    const app = Fastify()
    const calls: string[] = []
    app.addHook('preClose', async () => void calls.push('not collected'))
    const preClose = collectPreClose(app)
    app.addHook('preClose', async function () {
      calls.push(this === app ? 'promise' : 'another instance')
    })
    app.addHook('preClose', (done) => {
      calls.push('callback')
      setImmediate(done)
    })
    const plugin = async (inner: FastifyInstance) =>
      void inner.addHook('preClose', async () => void calls.push('plugin'))
    app.register(Object.assign(plugin, { [Symbol.for('skip-override')]: true }))
    app.register(async (scope) => {
      scope.addHook('preClose', async () => void calls.push(scope === app ? 'root' : 'scope'))
    })
    app.addHook('onClose', async () => void calls.push('onClose'))
    await app.ready()
    if (drains) {
      await preClose()
      t.same(calls, ['promise', 'callback', 'plugin', 'scope'])
    }
    await app.close()
    const order = drains ? ['promise', 'callback', 'plugin', 'scope', 'not collected', 'onClose'] : calls
    t.same(calls, order)
    t.equal(calls.at(-1), 'onClose')
    t.equal(new Set(calls).size, calls.length, 'none runs twice')
  }
})

test('a hook that fails keeps no other from running, and fails the close as ever', async (t) => {
  const app = Fastify()
  const calls: string[] = []
  const preClose = collectPreClose(app)
  app.addHook('preClose', async () => {
    throw new Error('mine')
  })
  app.addHook('preClose', async () => void calls.push('other'))
  await preClose()
  t.same(calls, ['other'])
  await t.rejects(app.close(), { message: 'mine' })
})

test('Fastify still refuses what is not a hook', async (t) => {
  const app = Fastify()
  collectPreClose(app)
  t.throws(() => app.addHook('preClose', Object(1)), { code: 'FST_ERR_HOOK_INVALID_HANDLER' })
  await app.close()
})
