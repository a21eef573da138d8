/**
 * Finds query parameters that the contract does not declare. OpenAPI neither defines nor forbids them, and links carry
 * parameters of proxies and campaigns. They are ignored, and logged at debug to reveal a misspelt one.
 */
import type { Contract, Operation } from '@contract-first/engine/server'

const maxNames = 10
const maxLength = 64

type Query = Operation['parameters'][number]

/** Returns a function that returns the names in a URL that its operation does not declare, without their values. */
export function unknownQuery({
  securitySchemes
}: Pick<Contract, 'securitySchemes'>): (url: string, operation: Operation) => readonly string[] {
  const keys = Object.values(securitySchemes).map((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'query' ? scheme.name : undefined
  )
  return (url, { parameters }) => {
    const declared = parameters.filter((parameter) => parameter.in === 'query')
    const sent = new Set(new URLSearchParams(/\?(.*)/s.exec(url)?.[1]).keys())
    const unknown = [...sent].filter(
      (name) => !keys.includes(name) && !declared.some((parameter) => takes(parameter, name))
    )
    return unknown.slice(0, maxNames).map((name) => name.slice(0, maxLength))
  }
}

/** Returns true if a parameter has this name; the properties of an exploded object count, too. */
function takes({ key, explode, shape, style }: Query, name: string): boolean {
  if (key === name || (style === 'deepObject' && name.startsWith(`${key}[`))) return true
  return explode && (shape.additional !== undefined || Object.hasOwn(shape.properties ?? {}, name))
}
