/** Decides whether a value is an instance of schemas, to choose between parts while a value is made. */
import type { Json } from '../compile/document/json-value.ts'
import { atPointer, pointerOf } from '../compile/document/reference.ts'
import { type Reading, satisfies } from '../evaluate/evaluate.ts'
import type { Schemas } from './schemas.ts'

/** @returns true unless a schema refuses the value; the validators of the contract decide about the whole */
export const holds = (schemas: Schemas, all: readonly Json[], value: unknown): boolean =>
  satisfies(value as Json, all, readingOf(schemas)) !== false

const readingOf = (schemas: Schemas): Reading => ({
  isCompiled: true,
  read: (schema) => schema,
  target(schema) {
    const pointer = pointerOf(schema)
    return pointer === undefined ? undefined : atPointer(schemas.document, pointer)
  },
  isHidden: (properties) => properties.some((property) => schemas.isHidden(property))
})
