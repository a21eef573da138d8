/** Selects the test files that are measured for the coverage of src/, which slows packages, too. */
import { matchesGlob } from 'node:path'

/** Test files that run only code of src/ that others run, too, or that compare CPU times. */
export const unmeasured = [
  'test/engine/linear-work/*',
  'test/{agreement,bundling,docs,examples,fuzz,projects}/!(openapi-support).test.ts',
  'test/compiler/{mock,{diff,mock}/large,command/dev/screen}.test.ts',
  'test/compiler/diff/too-many-steps.test.ts',
  'test/compiler/compile/reproducible.test.ts',
  'test/compiler/compile/validators/ajv/exponential-calls.test.ts',
  'test/contracts/{large-contract,mistakes,types}.test.ts',
  'test/e2e/!(start|shutdown|sight|reload).test.ts',
  'test/{architecture,assertions,documents,editor,examples,mirror,packaging,readme}.test.ts',
  'test/engine/server/hostile.test.ts',
  'test/{scripts/{build,store-change},second-opinion/second-opinion}.test.ts',
  'test/scripts/coverage/*'
]

export const isMeasured = (file: string): boolean => !unmeasured.some((glob) => matchesGlob(file, glob))
