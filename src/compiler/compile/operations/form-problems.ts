/** Finds parts of the encoding of a form that have no effect (OpenAPI 3.1.0, section 4.8.15). */
import { bodyKind } from '@contract-first/engine/media-types'
import type { RequestContent } from '@contract-first/engine/model'
import { type JsonObject, objectOf, own } from '../document/json-value.ts'
import { isMediaType, listedTypes } from './part-types.ts'

export interface FormProblem {
  readonly message: string
  /** Object with the problem, at its `key`. */
  readonly node: JsonObject
  readonly key: string
}

/** @param media the media type object of a request body */
export function formProblems(
  media: JsonObject,
  { mediaType, kind, fields = [] }: RequestContent
): FormProblem[] {
  if (own(media, 'encoding') === undefined || mediaType.includes('*')) return []
  if (kind !== 'form' && kind !== 'multipart')
    return [{ message: 'encoding has no effect: only forms have fields', node: media, key: 'encoding' }]
  const encoding = objectOf(own(media, 'encoding'))
  return Object.entries(encoding).flatMap(([name, value]) => {
    const rules = objectOf(value)
    const isDeclared = fields.some((field) => field.name === name)
    const message = `the encoding of ${name} has no effect: the schema declares no such field`
    return isDeclared ? fieldProblems(name, rules, kind) : [{ message, node: encoding, key: name }]
  })
}

function fieldProblems(name: string, rules: JsonObject, kind: 'form' | 'multipart'): FormProblem[] {
  const types = listedTypes(rules)
  const malformed = types.filter((type) => !isMediaType(type))
  const isEnforced = kind === 'multipart' || types.every((type) => bodyKind(type) === 'json')
  const problem = (key: string, message: string) => ({ message, node: rules, key })
  return [
    ...malformed.map((type) =>
      problem('contentType', `contentType of ${name} is not enforced: ${type} is not a media type`)
    ),
    ...(isEnforced
      ? []
      : [problem('contentType', `contentType of ${name} is not enforced: fields of this form have none`)]),
    ...(own(rules, 'headers') === undefined
      ? []
      : [problem('headers', `headers of the part ${name} are not enforced`)])
  ]
}
