/** `npm run dev`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/dev'

await run()
