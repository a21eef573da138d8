/** `npm run new -- DIR --contract FILE`: makes a project that serves a contract. */
import { enableCompileCache } from 'node:module'
import { accepted, command, toErrors, toOutput } from '@contract-first/cli/command'
import { grammar, readNewOptions } from './new/options.ts'
import { compileCache } from './project/compile-cache.ts'
import { print } from './project/print.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readNewOptions(line))
    const [{ runNew }, { ownPackages }, { nearestLock }, { withProgress }] = await Promise.all([
      import('./new/run.ts'),
      import('./new/packages.ts'),
      import('./new/make-lock.ts'),
      import('./generate/with-progress.ts')
    ])
    const paints = { output: toOutput, errors: toErrors }
    const surroundings = { paints, packages: ownPackages, locked: nearestLock }
    await withProgress((onPhase) => runNew(options, { ...surroundings, onPhase })).then(print)
  })
}
