/** Authenticates `Authorization: Bearer`: configured tokens, those of the token file, and JWTs. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { JwksConfig, JwksEvents, JwtVerifier } from './jwt.ts'
import { type Identify, noteCredentialProblem } from './scopes.ts'
import {
  createTokenVerifier,
  credentialWarnings,
  digestOf,
  type KnownToken,
  type Problems,
  readTokenFile,
  type TokenVerifier,
  tokenId
} from './tokens.ts'

export interface CredentialOptions {
  readonly tokens: readonly string[]
  readonly tokensFile: string | undefined
  readonly jwks: JwksConfig | undefined
}

export interface BearerAuth {
  readonly authenticate: Identify
  /**
   * Reads the token file again and returns its problems. Keeps the former tokens if there is a problem. Called when a
   * former call has ended.
   */
  readonly reload: () => Promise<readonly string[]>
  /** Returns the current tokens: their ids, and their scopes as text. */
  readonly tokens: () => readonly (readonly [id: string, scopes: string])[]
  /** Returns those scopes that no credential can carry. A JWT may carry any. */
  readonly uncarried: (scopes: readonly string[]) => readonly string[]
  /** Returns a sentence for each current credential that is easy to guess or to read. */
  readonly warnings: () => readonly string[]
  /** Returns false while JWTs are configured and the keys of the issuer have never been fetched. */
  readonly isReady: () => boolean
  readonly close: () => void
}

/**
 * Opens all sources of credentials, those of AUTH_*. A reload replaces the verifier atomically.
 * @param made token that was made for this run
 * @returns the problems of the token file, where it has any
 */
export async function openBearerAuth(
  { tokens, tokensFile, jwks }: CredentialOptions,
  log: FastifyBaseLogger,
  made?: KnownToken
): Promise<BearerAuth | Problems> {
  const read = () => knownTokens(tokens, tokensFile, made)
  const opened = await read()
  if ('problems' in opened) return opened
  let known = opened
  const jwt = await jwtVerifier(jwks, log)
  const isCarried = (scope: string) => known.tokens.some(({ scopes }) => scopes.includes(scope))
  return {
    authenticate: (token, context) => {
      const refuse = (problem: string): undefined => noteCredentialProblem(context?.request, problem)
      return known.verify(token, connectionOf(context?.request)) ?? jwt.verify(token, refuse)
    },
    reload: async () => {
      const next = await read()
      if ('problems' in next) return next.problems
      known = next
      return []
    },
    tokens: () => known.tokens.map(({ digest, scopes }) => [tokenId(digest), scopes.toSorted().join(' ')]),
    uncarried: (scopes) => (jwks === undefined ? scopes.filter((scope) => !isCarried(scope)) : []),
    warnings: () => known.warnings,
    isReady: jwt.isReady,
    close: jwt.close
  }
}

/** Tokens of the environment and of the file, as they were read. */
interface KnownTokens {
  readonly tokens: readonly KnownToken[]
  readonly verify: TokenVerifier
  readonly warnings: readonly string[]
}

/** Reads the token file once; everything that is said of it is derived from that. */
async function knownTokens(
  configured: readonly string[],
  path: string | undefined,
  made: KnownToken | undefined
): Promise<KnownTokens | Problems> {
  const file = path === undefined ? undefined : await readTokenFile(path)
  if (file !== undefined && 'problems' in file)
    return { problems: file.problems.map((problem) => `AUTH_TOKENS_FILE: ${problem}`) }
  const plain = configured.map((token) => ({ digest: digestOf(token), scopes: [] }))
  // The last of several equal tokens counts: a line of the file may give scopes to a token of AUTH_TOKENS.
  const tokens = [...plain, ...(made === undefined ? [] : [made]), ...(file?.lines ?? [])]
  return { tokens, verify: createTokenVerifier(tokens), warnings: credentialWarnings(configured, file) }
}

function connectionOf(request: Partial<Pick<FastifyRequest, 'raw'>> = {}): object | undefined {
  return request.raw?.socket
}

/** Loads jose only where an issuer is configured. */
async function jwtVerifier(jwks: JwksConfig | undefined, log: FastifyBaseLogger): Promise<JwtVerifier> {
  if (jwks === undefined) return withoutIssuer
  const { createJwtVerifier } = await import('./jwt.ts')
  return createJwtVerifier(jwks, jwksReporter(log))
}

const withoutIssuer: JwtVerifier = {
  verify: (_token, refuse) => refuse?.('no known token'),
  isReady: () => true,
  close: () => {}
}

export function jwksReporter(log: FastifyBaseLogger): JwksEvents {
  return {
    onFailure: (error, hasKeys) => {
      const state = hasKeys
        ? 'the last ones stay in force'
        : 'no JWT can be checked, and the service is not ready'
      log.warn({ err: error }, `AUTH_JWKS_URL: the keys could not be fetched; ${state}`)
    },
    onSuccess: () => log.info('AUTH_JWKS_URL: the keys are fetched')
  }
}
