/** Value that breaks a schema of the contract outside HTTP. */
import type { Problem } from '../server/errors/failure.ts'
import { sentence } from '../server/errors/validation-problems.ts'

export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
  /** Name of the schema in the contract. */
  readonly schema: string
  /** Up to twenty problems; the message counts further ones. */
  readonly problems: readonly Problem[]

  constructor(schema: string, problems: readonly Problem[], omitted = 0, cause?: unknown) {
    super(`${schema}: ${sentence(problems, omitted)}`, { cause })
    this.schema = schema
    this.problems = problems
  }
}

/** Returns a mismatch of the whole value. */
export function wholeMismatch(schema: string, message: string, cause?: unknown): SchemaMismatch {
  return new SchemaMismatch(schema, [{ place, pointer: '', keyword: undefined, message }], 0, cause)
}

/** Name of a value in the places of its problems. */
export const place = 'value'
