/** Door without Fastify: failures of requests, the error that stops a boot, and calls of functions that may fail. */
export { BootError } from './server/boot-checks.ts'
export { notify, resultOf } from './server/errors/callbacks.ts'
export {
  type Failure,
  type FailureCode,
  FailureError,
  failureStatus,
  type Problem,
  type ReportedProblem
} from './server/errors/failure.ts'
export { reworded } from './server/errors/validation-problems.ts'
