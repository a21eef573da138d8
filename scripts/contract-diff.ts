/** `npm run contract:diff`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/contract-diff'

await run()
