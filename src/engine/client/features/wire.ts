/** Writes values of a project's own formats as texts. */
import type { Checker } from '../../model/client-operation.ts'
import { wireValues } from '../../runtime/wire-values.ts'

export const wire = <Value>(value: Value, { formats }: Checker): Value =>
  (wireValues(formats)?.(value) as Value | undefined) ?? value
