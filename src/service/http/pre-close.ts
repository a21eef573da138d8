/** Hooks for preClose of `extend`, such as one that ends streams which no request would end. */
import type { FastifyInstance } from 'fastify'

/** Hook that takes a callback, or returns a promise. */
type Hook = (this: FastifyInstance, done: (error?: unknown) => void) => unknown
type AddHook = (this: FastifyInstance, name: string, hook: Hook) => FastifyInstance

/**
 * Collects the hooks that are added from now on, those of plugins as well, which inherit `addHook`. Fastify runs them
 * when the application is closed, which a service does after its last response.
 * @returns a function that runs them at the beginning of the drain instead, each only once
 */
export function collectPreClose(app: FastifyInstance): () => Promise<void> {
  const hooks: (() => Promise<unknown>)[] = []
  const addHook = app.addHook as unknown as AddHook
  const collecting: AddHook = function (name, hook) {
    if (name !== 'preClose' || typeof hook !== 'function') return addHook.call(this, name, hook)
    let running: Promise<unknown> | undefined
    const run = () => {
      running ??= outcome(hook, this)
      return running
    }
    hooks.push(run)
    return addHook.call(this, name, run)
  }
  app.addHook = collecting as never
  return async () => {
    // Fastify goes on after an error as well.
    for (const run of hooks) await run().catch(() => undefined)
  }
}

async function outcome(hook: Hook, app: FastifyInstance): Promise<unknown> {
  if (hook.length === 0) return Reflect.apply(hook, app, [])
  const { promise, resolve } = Promise.withResolvers()
  hook.call(app, resolve)
  return promise
}
