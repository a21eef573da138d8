/** Path templates: literals and the names between them (OpenAPI 3.1.0, section 4.8.8.1). */

/** The names of `/a/{b}-{c}`: b, c. */
export const templateNames = (template: string): string[] =>
  [...template.matchAll(/(?<=\{)[^{}]*(?=\})/g)].map(([name]) => name)

/** What stands before, between and after them; one more than there are names. */
export const templateLiterals = (template: string): string[] => template.split(/\{[^{}]*\}/)
