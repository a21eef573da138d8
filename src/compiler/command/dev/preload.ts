/**
 * Runs in the server process before src/main.ts, only under `npm run dev`. The process is started ahead: it loads the
 * packages, which no edit changes, and waits. After the start message only the sources of the service are left to load.
 */
import { once } from 'node:events'
import { isMainThread } from 'node:worker_threads'

// Worker threads load this file, too, and must not wait.
if (isMainThread) await startedAhead()

async function startedAhead(): Promise<void> {
  // The parent has ended.
  process.on('disconnect', () => process.exit())
  const started = once(process, 'message')
  const [{ handOver }, { reloadPages }, { loadPackages }] = await Promise.all([
    import('./port-handover.ts'),
    import('./live-reload.ts'),
    import('./preload-packages.ts')
  ])
  await loadPackages()
  const [environment] = await started
  Object.assign(process.env, environment)
  reloadPages()
  handOver()
  endWithoutListener()
}

/** Ends a program that does not listen to SIGTERM, which Node does no more since listeners were added here. */
function endWithoutListener(): void {
  const added = process.listenerCount('SIGTERM') + 1
  process.on('SIGTERM', () => {
    if (process.listenerCount('SIGTERM') === added) process.exit()
  })
}
