/** `npm run dev`: the edit loop. Every save is compiled, served and type-checked; Ctrl-C ends it. */
import { contractCommand } from './generate/read-project.ts'

const grammar = {
  usage: `usage: npm run dev [-- OPTION]

  Serves, and follows every edit of the contract, of the sources and of .env; Ctrl-C ends it.`,
  options: { '--no-types': 'leave the types unchecked' }
}

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())
    const { develop } = await import('./dev/develop.ts')
    await develop({ checksTypes: !line.is('no-types'), ending: ending.signal })
    process.exit(0)
  })
}
