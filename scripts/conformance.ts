/** `npm run conformance`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/conformance'

await run()
