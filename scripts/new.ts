/** `npm run new`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/new'

await run()
