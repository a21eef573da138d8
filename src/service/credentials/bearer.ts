/** Authenticates `Authorization: Bearer`: configured tokens, those of the token file, and JWTs. */
import { digestOf } from './digest.ts'
import type { JwtVerifier } from './jwt.ts'
import type { CredentialOptions, JwksConfig } from './options.ts'
import type { Principal } from './principal.ts'
import { readTokenFile } from './token-file.ts'
import { createTokenVerifier } from './tokens.ts'

/**
 * Returns the principal of a bearer token, or undefined when it is refused.
 * @throws {FailureError} `unavailable`, when a JWT cannot be checked because there are no keys
 */
export type Authenticate = (token: string) => Principal | undefined | Promise<Principal | undefined>

export interface BearerAuth {
  readonly authenticate: Authenticate
  /** Reads the token file again and returns its problems. With any problem the tokens stay as they are. */
  readonly reload: () => Promise<readonly string[]>
  readonly close: () => void
}

export type BearerAuthOrProblems = { readonly auth: BearerAuth } | { readonly problems: readonly string[] }

/** Opens all sources of credentials. A reload replaces the verifier as a whole, so no request sees half of it. */
export async function openBearerAuth(
  { tokens, tokensFile, jwks }: CredentialOptions,
  onJwksFailure: (error: unknown) => void
): Promise<BearerAuthOrProblems> {
  const configured = tokens.map(digestOf)
  let verifyToken = createTokenVerifier(configured)
  const load = async (): Promise<readonly string[]> => {
    const file = tokensFile === undefined ? { digests: [] } : await readTokenFile(tokensFile)
    if ('problems' in file) return file.problems.map((problem) => `AUTH_TOKENS_FILE: ${problem}`)
    verifyToken = createTokenVerifier([...configured, ...file.digests])
    return []
  }
  const problems = await load()
  if (problems.length > 0) return { problems }
  const jwt = await jwtVerifier(jwks, onJwksFailure)
  return {
    auth: {
      authenticate: (token) => verifyToken(token) ?? jwt.verify(token),
      reload: serialized(load),
      close: jwt.close
    }
  }
}

/** Loads jose only where an issuer is configured. */
async function jwtVerifier(
  jwks: JwksConfig | undefined,
  onFailure: (error: unknown) => void
): Promise<JwtVerifier> {
  if (jwks === undefined) return { verify: () => undefined, close: () => {} }
  const { createJwtVerifier } = await import('./jwt.ts')
  return createJwtVerifier(jwks, onFailure)
}

/** Runs a task after its last run: two reads of one file at once could end in the wrong order. */
function serialized<T>(task: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(task)
    last = next
    return next
  }
}
