/** The door without Fastify: failures of a request, and what keeps a contract from being served. */
export { BootError } from './server/boot-checks.ts'
export { type Failure, type FailureCode, FailureError, type Problem } from './server/errors/failure.ts'
