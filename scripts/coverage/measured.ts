/** Which test files count for the coverage of src/: a process under coverage takes a third more processor time. */
import { matchesGlob } from 'node:path'

/** They run nothing of src/ that the others do not run, or compare processor times. */
export const unmeasured = [
  'test/contract/linear-work/*',
  'test/{agreement,bundling,docs,fuzz,projects}/!(openapi-support).test.ts',
  'test/compiler/{diff,mock}/large.test.ts',
  'test/e2e/!(start|shutdown|sight|reload|limits).test.ts',
  'test/{architecture,documents,editor,examples,mirror,packaging,readme}.test.ts',
  'test/scripts/coverage/*'
]

export const isMeasured = (file: string): boolean => !unmeasured.some((glob) => matchesGlob(file, glob))
