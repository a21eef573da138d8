/** `npm run new -- DIR --contract FILE`: makes a project that serves a contract. */
import { enableCompileCache } from 'node:module'
import { accepted, command, toErrors, toOutput } from '@contract-first/service/command/command'
import { grammar, readNewOptions } from './new/options.ts'
import { compileCache } from './project/compile-cache.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readNewOptions(line))
    const [{ runNew }, { ownPackages }, { nearestLock }, { Progress }] = await Promise.all([
      import('./new/run.ts'),
      import('./new/packages.ts'),
      import('./new/make-lock.ts'),
      import('./generate/progress.ts')
    ])
    const progress = process.stderr.isTTY ? new Progress({ fd: process.stderr.fd }) : undefined
    const surroundings = {
      ...{ onPhase: progress?.begin, packages: ownPackages, locked: () => nearestLock() },
      paints: { output: toOutput, errors: toErrors }
    }
    const { output, errors } = await runNew(options, surroundings).finally(() => progress?.end())
    process.stderr.write(errors)
    process.stdout.write(output)
  })
}
