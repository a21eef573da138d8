/** Warns of credentials that are easy to guess or to read. */
import { readFile, stat } from 'node:fs/promises'
import type { CredentialOptions } from './options.ts'

/** Shortest token without a warning; 16 random letters and digits have about 95 bits. */
const minLength = 16
const readableByAll = 0o004

/** @returns sentences that name the place and never the token */
export async function credentialWarnings({ tokens, tokensFile }: CredentialOptions): Promise<string[]> {
  const short = tokens.flatMap((token, index) =>
    token.length < minLength ? [`AUTH_TOKENS: token ${index + 1} of ${tokens.length} ${isShort}`] : []
  )
  return [...short, ...(tokensFile === undefined ? [] : await fileWarnings(tokensFile))]
}

const isShort = `has fewer than ${minLength} characters and can be guessed: "openssl rand -hex 32" makes a long one`

async function fileWarnings(path: string): Promise<string[]> {
  const [text, { mode }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
  const lines = text.split('\n').map((line) => line.replace(/#.*/s, '').trim())
  const short = lines.flatMap((line, index) =>
    line !== '' && line.length < minLength
      ? [`AUTH_TOKENS_FILE: the token in line ${index + 1} ${isShort}`]
      : []
  )
  const isReadable = (mode & readableByAll) !== 0
  return isReadable
    ? [...short, 'AUTH_TOKENS_FILE: every user of this machine can read it: run chmod o-r on it']
    : short
}
