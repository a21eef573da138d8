/**
 * Lines of src/ that no test reaches, each with its reason. `npm test -- --coverage` fails for any other line, and for
 * a listed line that is reached.
 */
import type { Exception } from '../scripts/coverage/uncovered-lines.ts'

export const exceptions: readonly Exception[] = []
