/** `npm run generate -- --watch`: stays loaded, and compiles after every save of a file of the contract. */
import { FileWatcher } from '../project/file-watcher.ts'
import type { Options } from './options.ts'
import { printRun } from './print-run.ts'

/** Runs until a signal ends the process. */
export async function watchContract(options: Options): Promise<void> {
  const watcher = new FileWatcher()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0))
  for (;;) {
    const saved = watcher.next()
    watcher.watch(options.contract)
    await printRun(options, (path) => watcher.watch(path))
    console.log('waiting for the next change; Ctrl-C ends')
    await saved
    console.log('')
  }
}
