/** `npm run dev`: the edit loop. Every save is compiled, served and type-checked; Ctrl-C ends it. */
import { enableCompileCache } from 'node:module'
import { command } from '@contract-first/cli/command'
import { compileCache } from './project/read-project.ts'

const grammar = {
  usage: `usage: npm run dev [-- OPTION]

  Serves, and follows every edit of the contract, of the sources and of .env; Ctrl-C ends it.`,
  options: { '--no-types': 'leave the types unchecked' }
}

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await command(grammar, async (line) => {
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())
    const cache = compileCache()
    enableCompileCache(cache)
    const { develop } = await import('./dev/develop.ts')
    await develop({ cache, checksTypes: !line.is('no-types'), ending: ending.signal })
    process.exit(0)
  })
}
