/** Quotes texts for a POSIX shell. */

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Quotes a text and appends one that the shell expands.
 * @param rest text in which the shell replaces variables
 */
export const quoteWithVariables = (text: string, rest: string): string =>
  `"${text.replaceAll(/[$`"\\]/g, '\\$&')}${rest}"`
