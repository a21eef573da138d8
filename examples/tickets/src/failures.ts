/** The body of every failure, in the shapes that openapi.yaml declares for its errors. */
import { STATUS_CODES } from 'node:http'
import type { Failure } from '@contract-first/engine/errors'

export function errorBody({ status, message, problems }: Failure): unknown {
  return {
    title: STATUS_CODES[status],
    status,
    detail: message.slice(0, 500),
    errors: problems.map((each) => ({ detail: each.message, pointer: each.pointer }))
  }
}
