/** Tokens: their syntax, their digests, the check of known ones (RFC 6750), and the file that lists them. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { constants, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { bearerToken } from '../config/parse.ts'
import { StartError } from '../config/start-error.ts'
import type { Principal } from './scopes.ts'

export interface KnownToken {
  readonly digest: Buffer
  readonly scopes: readonly string[]
}

/** @param connection the object that stands for the connection of the client; undefined where there is none */
export type TokenVerifier = (token: string, connection?: object) => Principal | undefined

/**
 * Compares every known digest in constant time and without an early exit, so that the time of a refusal reveals nothing
 * about a token. No cache is keyed by the plain token, because a Map look-up is a timing side channel. A check costs
 * about 800 ns, and 50 ns for each further token. The last accepted token of a connection is cached, which costs 200
 * ns; it is compared in constant time, too, because a proxy sends requests of several clients over one connection.
 */
export function createTokenVerifier(tokens: readonly KnownToken[]): TokenVerifier {
  const known = tokens.map((token) => ({ digest: token.digest, principal: tokenPrincipal(token) }))
  // One cache for each verifier, so that a reload of the tokens discards it.
  const proved = new WeakMap<object, { readonly bytes: Buffer; readonly principal: Principal }>()
  return (token, connection) => {
    const earlier = connection && proved.get(connection)
    const bytes = Buffer.from(token)
    // Only the length of the token affects the time.
    if (earlier?.bytes.length === bytes.length && timingSafeEqual(earlier.bytes, bytes))
      return earlier.principal
    const presented = digestOf(token)
    let principal: Principal | undefined
    for (const each of known) {
      if (timingSafeEqual(each.digest, presented)) principal = each.principal
    }
    if (principal && connection) proved.set(connection, { bytes, principal })
    return principal
  }
}

/** Names a token in the log. */
export const tokenId = (digest: Buffer): string => `token:${digest.toString('hex', 0, 4)}`

const noClaims = Object.freeze({})

const tokenPrincipal = ({ digest, scopes }: KnownToken): Principal =>
  Object.freeze({ id: tokenId(digest), scopes: Object.freeze([...scopes]), claims: noClaims })

/**
 * Makes a token of 256 random bits.
 * @param prefix mark for people and secret scanners
 */
export const newToken = (prefix = ''): string => `${prefix}${randomBytes(32).toString('base64url')}`

/**
 * Returns the SHA-256 of a token, which replaces the token in storage, comparisons and logs. Goes by way of hexadecimal
 * text: Node takes twice as long to hash into a buffer.
 */
export const digestOf = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex')

/** Writes `sha256:<hex>`, the form of a digest in a token file. */
export const digestLine = (token: string): string => `sha256:${digestOf(token).toString('hex')}`

/** Syntax of one scope (RFC 6749, section 3.3). */
export const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

interface TokenLine extends KnownToken {
  readonly line: number
  /** Length of a plain token; undefined for a digest. */
  readonly length: number | undefined
}

interface TokenFile {
  readonly lines: readonly TokenLine[]
  /** True if every user of this machine can read the file. */
  readonly isReadableByAll: boolean
}

const readableByAll = 0o004
const maxBytes = 16_777_216

/** Readings of a file that changes, before it is refused, and the time between them. */
const [maxReadings, stillMs] = [10, 500]

/**
 * Reads the token file: one token per line, or its digest as `sha256:<hex>`, and after it the scopes that the token
 * carries. A comment begins with `#`, at the beginning of the line or after a space. The last line of a file without a
 * final line feed may be the beginning of a token, while the file is being written: it is read again until it stands
 * still.
 * @throws {StartError} whose problems name the line and never its text; or an error of the file system
 */
export async function readTokenFile(
  path: string,
  pause: () => Promise<unknown> = () => setTimeout(stillMs)
): Promise<TokenFile> {
  let before: string | undefined
  for (let count = 0; count < maxReadings; count++) {
    const { text, isReadableByAll } = await readTokens(path)
    if (text.endsWith('\n') || text === before) return { lines: parseTokenFile(text), isReadableByAll }
    before = text
    await pause()
  }
  throw new StartError([
    'it is still being written: its last line has no line feed, and it changes all the time'
  ])
}

/** Reads through one handle: the path may lead to another file at any time. */
async function readTokens(path: string) {
  // Without O_NONBLOCK, a named pipe would not be opened before somebody writes to it.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const stats = await file.stat()
  if (!stats.isFile()) throw new StartError(['it is not a regular file'])
  if (stats.size > maxBytes) throw new StartError([`it is larger than ${maxBytes} bytes`])
  return { text: await file.readFile('utf8'), isReadableByAll: (stats.mode & readableByAll) !== 0 }
}

/** Maximum of listed problems; more usually means the wrong file. */
const maxProblems = 5

/**
 * Parses the text of a token file.
 * @throws {StartError} for wrong lines, and for a file without tokens, which would lock every client out
 */
export function parseTokenFile(text: string): readonly TokenLine[] {
  const lines: TokenLine[] = []
  const problems: string[] = []
  const all = text.replace(/^\ufeff/, '').split('\n')
  for (const [index, whole] of all.entries()) {
    const words = wordsOf(whole)
    const read = words.length === 0 ? undefined : tokenOf(words, lines)
    if (typeof read === 'string') problems.push(`line ${index + 1}: ${read}`)
    else if (read !== undefined) lines.push({ line: index + 1, ...read })
  }
  const left = problems.length - maxProblems
  if (left > 1) problems.splice(maxProblems, left, `${left} more lines are wrong, too`)
  if (problems.length + lines.length === 0) problems.push('the file holds no token')
  if (problems.length > 0) throw new StartError(problems)
  return lines
}

/** Splits at spaces and tabs only: any other white space is a mistake that the check of the word finds. */
const wordsOf = (line: string): readonly string[] =>
  line
    .replace(/\r$/, '')
    .replace(/(^|[ \t])#.*/s, '')
    .split(/[ \t]+/)
    .filter((word) => word !== '')

/** @returns the token of a line, or its problem */
function tokenOf(
  [first = '', ...scopes]: readonly string[],
  earlier: readonly TokenLine[]
): Omit<TokenLine, 'line'> | string {
  const token = digestIn(first)
  if (token === undefined) return 'expected a token (RFC 6750, section 2.1) or sha256:<64 hex>'
  if (!scopes.every((scope) => scopeToken.test(scope)))
    return 'a scope after the token has a character that no scope may have (RFC 6749, section 3.3)'
  const same = earlier.find(({ digest }) => digest.equals(token.digest))
  if (same !== undefined && new Set(same.scopes).symmetricDifference(new Set(scopes)).size > 0)
    return `the token of line ${same.line} again, with other scopes`
  return { ...token, scopes }
}

function digestIn(entry: string): Pick<TokenLine, 'digest' | 'length'> | undefined {
  const [, hex] = /^sha256:([0-9a-f]{64})$/i.exec(entry) ?? []
  if (hex !== undefined) return { digest: Buffer.from(hex, 'hex'), length: undefined }
  return bearerToken.test(entry) ? { digest: digestOf(entry), length: entry.length } : undefined
}

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
  const inFile = (file?.lines ?? []).flatMap(({ line, length = minLength }) =>
    length < minLength ? [`AUTH_TOKENS_FILE: the token in line ${line} ${isShort}`] : []
  )
  const readable = 'AUTH_TOKENS_FILE: every user of this machine can read it: run chmod o-r on it'
  return [...short, ...inFile, ...(file?.isReadableByAll ? [readable] : [])]
}
