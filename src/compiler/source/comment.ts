/** Text of a contract in a comment of source code. */

/**
 * Returns the text for a comment of one line, of any kind: without line ends, without other characters that an editor
 * or a terminal interprets, and without the end of a block comment.
 */
export function commentText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\p{Cs}]/gu, '\ufffd')
    .replaceAll('*/', '*\\/')
    .trim()
}
