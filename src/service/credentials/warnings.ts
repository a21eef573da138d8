/** Warns of credentials that are easy to guess or to read. */
import type { TokenFile } from './token-file.ts'

/** Shortest token without a warning; 16 random letters and digits have about 95 bits. */
const minLength = 16

const isShort = `has fewer than ${minLength} characters and can be guessed: "openssl rand -hex 32" makes a long one`

/**
 * @param tokens tokens of AUTH_TOKENS
 * @returns sentences that name the place and never the token
 */
export function credentialWarnings(tokens: readonly string[], file: TokenFile | undefined): string[] {
  const short = tokens.flatMap((token, index) =>
    token.length < minLength ? [`AUTH_TOKENS: token ${index + 1} of ${tokens.length} ${isShort}`] : []
  )
  return [...short, ...(file === undefined ? [] : fileWarnings(file))]
}

function fileWarnings({ lines, isReadableByAll }: TokenFile): string[] {
  const short = lines.flatMap(({ line, length = minLength }) =>
    length < minLength ? [`AUTH_TOKENS_FILE: the token in line ${line} ${isShort}`] : []
  )
  return isReadableByAll
    ? [...short, 'AUTH_TOKENS_FILE: every user of this machine can read it: run chmod o-r on it']
    : short
}
