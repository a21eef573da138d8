/** Lines of src/ that no test reaches, each with its reason. `npm run coverage` fails for any other, and for one that is reached. */
import type { Exception } from '../scripts/coverage/uncovered-lines.ts'

export const exceptions: readonly Exception[] = []
