/** Reads the token file: one token per line, or its digest as `sha256:<hex>`. A comment begins with `#`. */
import { readFile } from 'node:fs/promises'
import { bearerToken } from './bearer-token.ts'
import { digestOf } from './digest.ts'

/** Digests of all tokens, or the problems of the file. A problem names the line and never its text. */
export type TokenFile = { readonly digests: readonly Buffer[] } | { readonly problems: readonly string[] }

export async function readTokenFile(path: string): Promise<TokenFile> {
  return readFile(path, 'utf8').then(parseTokenFile, (error: Error) => ({ problems: [error.message] }))
}

/** Maximum of listed problems; more usually means the wrong file. */
const maxProblems = 5

/** Refuses a file without tokens: it is truncated or the wrong one, and would lock every client out. */
export function parseTokenFile(text: string): TokenFile {
  const digests: Buffer[] = []
  const problems: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/s, '').trim()
    const digest = digestOfEntry(entry)
    if (digest !== undefined) digests.push(digest)
    else if (entry !== '')
      problems.push(`line ${index + 1}: expected a token (RFC 6750, section 2.1) or sha256:<64 hex>`)
  }
  if (problems.length > 0) return { problems: bounded(problems) }
  return digests.length > 0 ? { digests } : { problems: ['the file holds no token'] }
}

function bounded(problems: readonly string[]): readonly string[] {
  const left = problems.length - maxProblems
  return left <= 1 ? problems : [...problems.slice(0, maxProblems), `${left} more lines are no tokens either`]
}

function digestOfEntry(entry: string): Buffer | undefined {
  const [, hex] = /^sha256:([0-9a-f]{64})$/i.exec(entry) ?? []
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  return bearerToken.test(entry) ? digestOf(entry) : undefined
}
