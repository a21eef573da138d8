/**
 * Loaded into the process of a server before src/main.ts, and by nothing but `npm run dev`. Such a process is started ahead:
 * it loads the packages, which no edit changes, and waits. Told to start, it has only the service itself left to load.
 */
import { once } from 'node:events'
import { isMainThread } from 'node:worker_threads'

// The threads of the service load this file, too, and are to start as fast as ever.
if (isMainThread) await startedAhead()

async function startedAhead(): Promise<void> {
  // Whoever started us is gone: so are we, however it ended.
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
}
