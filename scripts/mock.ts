/** `npm run mock`: a command of the compiler's package. */
import { run } from '@contract-first/compiler/command/mock'

await run()
