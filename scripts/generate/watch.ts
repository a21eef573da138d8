/** `npm run generate -- --watch`: a process that stays warm, and compiles whenever a file of the contract is saved. */
import { FileWatcher } from '../watch/file-watcher.ts'
import type { Options } from './options.ts'
import { generateOnce } from './run.ts'

/** Ends with the process. */
export async function watchContract(options: Options): Promise<void> {
  const watcher = new FileWatcher()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0))
  for (;;) {
    const saved = watcher.next()
    watcher.watch(options.contract)
    await generateOnce(options, (path) => watcher.watch(path))
    console.log('waiting for the next change; Ctrl-C ends')
    await saved
    console.log('')
  }
}
