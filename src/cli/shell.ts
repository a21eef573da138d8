/** Quotes texts for a POSIX shell. */

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Characters without a meaning in double quotes, also in an interactive shell. */
const plain = /^[\w .,:;=/?&%+*@~()-]*$/

/**
 * Quotes a text in which the shell replaces variables.
 * @param parts texts and variables in turn: `key=`, `$TOKEN`, `&other=`, `$TOKEN`
 */
export function quoteWithVariables(...parts: readonly string[]): string {
  const isText = (index: number) => index % 2 === 0
  if (parts.every((part, index) => !isText(index) || plain.test(part))) return `"${parts.join('')}"`
  return parts.map((part, index) => (isText(index) ? quote(part) : `"${part}"`)).join('')
}

/** Quotes a text; a word without a meaning for the shell stays as it is. */
export const shellWord = (text: string): string => (/^[\w.:/%@+=,-]+$/.test(text) ? text : quote(text))
