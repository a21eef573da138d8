/** `npm run generate`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/generate'

await run()
