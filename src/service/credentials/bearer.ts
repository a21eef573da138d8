/** Authenticates `Authorization: Bearer`: configured tokens, those of the token file, and JWTs. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { StartError } from '../config/start-error.ts'
import type { JwksConfig } from './jwt.ts'
import { type Identify, noteCredentialProblem } from './scopes.ts'
import {
  createTokenVerifier,
  credentialWarnings,
  digestOf,
  type KnownToken,
  readTokenFile,
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
   * Reads the token file again, which replaces the tokens at once. Called when a former call has ended.
   * @throws {StartError} for a file with problems: the former tokens stay
   */
  readonly reload: () => Promise<Changes>
  /** Returns the number of current tokens. */
  readonly count: () => number
  /** Returns those scopes that no credential can carry. A JWT may carry any. */
  readonly uncarried: (scopes: readonly string[]) => readonly string[]
  /** Returns a sentence for each current credential that is easy to guess or to read. */
  readonly warnings: () => readonly string[]
  /** Returns false while JWTs are configured and the keys of the issuer have never been fetched. */
  readonly isReady: () => boolean
  readonly close: () => void
}

/** Changes of a reload: ids of tokens, as the log shows them. */
export interface Changes {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Tokens that carry other scopes. */
  readonly changed: readonly string[]
  readonly tokens: number
}

/**
 * Opens all sources of credentials, those of AUTH_*.
 * @param made token that was made for this run
 * @throws {StartError} for a token file with problems
 */
export async function openBearerAuth(
  { tokens, tokensFile, jwks }: CredentialOptions,
  log: FastifyBaseLogger,
  made?: KnownToken
): Promise<BearerAuth> {
  const read = () => knownTokens(tokens, tokensFile, made)
  let known = await read()
  // Loads jose only where an issuer is configured.
  const jwt = jwks && (await import('./jwt.ts')).createJwtVerifier(jwks, log)
  const isCarried = (scope: string) => known.tokens.some(({ scopes }) => scopes.includes(scope))
  return {
    authenticate: (token, context) => {
      const refuse = (problem: string): undefined => noteCredentialProblem(context?.request, problem)
      const { raw }: Partial<Pick<FastifyRequest, 'raw'>> = context?.request ?? {}
      const principal = known.verify(token, raw?.socket)
      return principal ?? (jwt === undefined ? refuse('no known token') : jwt.verify(token, refuse))
    },
    reload: async () => {
      const before = known
      known = await read()
      return changesOf(before.tokens, known.tokens)
    },
    count: () => known.tokens.length,
    uncarried: (scopes) => (jwks === undefined ? scopes.filter((scope) => !isCarried(scope)) : []),
    warnings: () => known.warnings,
    isReady: () => jwt?.isReady() ?? true,
    close: () => jwt?.close()
  }
}

/** Reads the token file once; everything that is said of it is derived from that. */
async function knownTokens(
  configured: readonly string[],
  path: string | undefined,
  made: KnownToken | undefined
) {
  const file = path === undefined ? undefined : await readTokenFile(path).catch(refuseFile)
  const plain = configured.map((token) => ({ digest: digestOf(token), scopes: [] }))
  // The last of several equal tokens counts: a line of the file may give scopes to a token of AUTH_TOKENS.
  const tokens = [...plain, ...(made === undefined ? [] : [made]), ...(file?.lines ?? [])]
  return { tokens, verify: createTokenVerifier(tokens), warnings: credentialWarnings(configured, file) }
}

/** @throws {StartError} that names the variable of the file */
function refuseFile(error: Error): never {
  const problems = error instanceof StartError ? error.problems : [error.message]
  throw new StartError(problems.map((problem) => `AUTH_TOKENS_FILE: ${problem}`))
}

function changesOf(before: readonly KnownToken[], after: readonly KnownToken[]): Changes {
  const [former, current] = [scopesById(before), scopesById(after)]
  const ids = [...current.keys()]
  return {
    added: ids.filter((id) => !former.has(id)),
    removed: [...former.keys()].filter((id) => !current.has(id)),
    changed: ids.filter((id) => former.has(id) && former.get(id) !== current.get(id)),
    tokens: after.length
  }
}

const scopesById = (tokens: readonly KnownToken[]): ReadonlyMap<string, string> =>
  new Map(tokens.map(({ digest, scopes }) => [tokenId(digest), scopes.toSorted().join(' ')]))
