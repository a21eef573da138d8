/** Quotes texts for a POSIX shell. */

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** @param rest whose variables the shell replaces */
export const quoteWithVariables = (text: string, rest: string): string =>
  `"${text.replaceAll(/[$`"\\]/g, '\\$&')}${rest}"`
