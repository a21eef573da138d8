/** `npm run lint:contract`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/lint'

await run()
