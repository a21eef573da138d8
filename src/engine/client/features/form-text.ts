/** Writes urlencoded forms, and describes the fields of forms. */
import type { Checker } from '../../model/client-operation.ts'
import type { FieldSpec, FormFields } from '../../model/parameter.ts'
import { pairsOf } from '../parameter-text.ts'

/**
 * Writes a form (WHATWG URL, section 5.2), with a space as `%20`.
 * @param place place of the form: `body`, or `query`
 * @throws {Error} of the checker
 */
export function formText(form: FormFields, value: unknown, place: string, { problem }: Checker): string {
  const pairs = fieldsOf(form, value).flatMap(([spec, member]) => {
    try {
      return pairsOf(spec, member)
    } catch (error) {
      throw problem(`${place}/${spec.key}`, (error as Error).message)
    }
  })
  return pairs.map(([name, text]) => `${name}=${text}`).join('&')
}

/** Returns each member of a form with its description. */
export function fieldsOf(
  { fields = [], additional }: FormFields,
  value: unknown
): readonly (readonly [FieldSpec, unknown])[] {
  const unknown = {
    in: 'query',
    required: false,
    style: 'form',
    explode: true,
    shape: { types: [] }
  } as const
  return Object.entries(Object(value)).flatMap(([name, member]) => {
    const declared = fields.find((field) => field.name === name)
    return member === undefined
      ? []
      : [[declared ?? { ...unknown, ...additional, name, key: name }, member] as const]
  })
}
