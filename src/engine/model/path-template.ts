/** Reads path templates: literals, and the names between them (OpenAPI 3.1.0, section 4.8.8.1). */

/** Returns the names of a template: b and c for `/a/{b}-{c}`. */
export const templateNames = (template: string): string[] =>
  [...template.matchAll(/(?<=\{)[^{}]*(?=\})/g)].map(([name]) => name)

/** Returns the texts before, between and after the names, one more than the number of names. */
export const templateLiterals = (template: string): string[] => template.split(/\{[^{}]*\}/)

/** Encodes the characters with which the path of a URL ends (RFC 3986, section 3.3): in a template they are text. */
export const encodedLiteral = (text: string): string => text.replaceAll(/[?#]/g, encodeURIComponent)
