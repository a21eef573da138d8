/** The body of every failure, as openapi.yaml declares it. */
import { STATUS_CODES } from 'node:http'
import type { Failure } from '@contract-first/engine/errors'

export function errorBody({ status, message, problems }: Failure): unknown {
  const errors = problems.map((each) => ({ detail: each.message, pointer: each.pointer }))
  return { title: STATUS_CODES[status], status, detail: message.slice(0, 500), errors }
}
