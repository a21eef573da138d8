/** Kinds of objects by their shape, whatever heading they stand under (OpenAPI 3.1.0, section 4.8.7). */
import { isObject, type JsonObject, own } from '../model/json.ts'
import { additional, methods } from './operation-objects.ts'

interface Kind {
  readonly name: string
  readonly fits: (target: JsonObject) => boolean
}

const has = (target: JsonObject, ...members: readonly string[]): boolean =>
  members.some((member) => isObject(own(target, member)))
const says = (target: JsonObject, ...members: readonly string[]): boolean =>
  members.every((member) => typeof own(target, member) === 'string')
const isSchema = (target: JsonObject): boolean =>
  ['type', 'properties', 'items', 'allOf', 'anyOf', 'oneOf', 'enum'].some((key) => Object.hasOwn(target, key))

/** Sections of `components`, with the shape of their objects. */
export const kinds = {
  schemas: {
    name: 'a schema',
    fits: (target) => !says(target, 'name', 'in') && !has(target, 'content', 'schema', 'responses')
  },
  parameters: { name: 'a parameter', fits: (target) => says(target, 'name', 'in') },
  headers: {
    name: 'a header',
    fits: (target) => !says(target, 'in') && !isSchema(target) && has(target, 'schema', 'content')
  },
  requestBodies: {
    name: 'a request body',
    fits: (target) => !says(target, 'in') && has(target, 'content')
  },
  responses: {
    name: 'a response',
    fits: (target) =>
      !says(target, 'in') &&
      !isSchema(target) &&
      !has(target, 'schema') &&
      (says(target, 'description') || has(target, 'content', 'headers', 'links'))
  },
  pathItems: {
    name: 'a path item',
    fits: (target) => has(target, ...methods, additional)
  },
  securitySchemes: {
    name: 'a security scheme',
    fits: (target) =>
      ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'].includes(String(own(target, 'type')))
  }
} as const satisfies Readonly<Record<string, Kind>>

export type Section = keyof typeof kinds

/** Returns true for an object under a heading of `components` whose shape is that of another kind only. */
export function isMisplaced(section: string, target: JsonObject): boolean {
  const isKnown = Object.hasOwn(kinds, section)
  return (
    isKnown &&
    !kinds[section as Section].fits(target) &&
    Object.values(kinds).some(({ fits }) => fits(target))
  )
}
