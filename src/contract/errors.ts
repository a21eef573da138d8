/** Door without Fastify: failures of requests, and the error that stops a boot. */
export { BootError } from './server/boot-checks.ts'
export {
  type Failure,
  type FailureCode,
  FailureError,
  failureStatus,
  type Problem
} from './server/errors/failure.ts'
