/** Errors of the domain, which the store throws, and the responses to them. */
import { STATUS_CODES } from 'node:http'

export class NotFound extends Error {}
export class Conflict extends Error {}

export function errorResponse(error: unknown) {
  if (error instanceof NotFound) return problem(404, error)
  if (error instanceof Conflict) return problem(409, error)
  return undefined
}

const problem = <Status extends number>(status: Status, { message }: Error) => ({
  status,
  body: { title: STATUS_CODES[status] ?? '', status, detail: message }
})
