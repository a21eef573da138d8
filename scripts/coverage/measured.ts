/** Which test files count for the coverage of src/: a process under coverage takes a third more processor time. */
import { matchesGlob } from 'node:path'

/** They run nothing of src/ that the others do not run, or compare processor times. */
export const unmeasured = [
  'test/contract/linear-work/*',
  'test/e2e/!(start|shutdown|sight|reload|limits).test.ts'
]

export const isMeasured = (file: string): boolean => !unmeasured.some((glob) => matchesGlob(file, glob))
