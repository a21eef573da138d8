/** Everything that `Authorization: Bearer` may hold here: configured tokens, those of the token file, JWTs. */
import type { Config } from '../config/config.ts'
import { digestOf } from './digest.ts'
import type { JwtVerifier } from './jwt.ts'
import type { Principal } from './principal.ts'
import { readTokenFile } from './token-file.ts'
import { createTokenVerifier } from './tokens.ts'

export interface BearerAuth {
  /** @throws {FailureError} `unavailable`, when a JWT can not be checked for want of keys */
  readonly authenticate: (token: string) => Principal | undefined | Promise<Principal | undefined>
  /** Reads the token file again. With any problem in it, the tokens stay as they are. */
  readonly reload: () => Promise<readonly string[]>
  readonly close: () => void
}

export type BearerAuthOrProblems = { readonly auth: BearerAuth } | { readonly problems: readonly string[] }

/** Requests that are being answered keep the verifier they began with, so a reload drops none. */
export async function openBearerAuth(
  { tokens, tokensFile, jwks }: Config['auth'],
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
      reload: inTurn(load),
      close: jwt.close
    }
  }
}

/** jose is loaded only where there is an issuer. */
async function jwtVerifier(
  jwks: Config['auth']['jwks'],
  onFailure: (error: unknown) => void
): Promise<JwtVerifier> {
  if (jwks === undefined) return { verify: () => undefined, close: () => {} }
  const { createJwtVerifier } = await import('./jwt.ts')
  return createJwtVerifier(jwks, onFailure)
}

/** Two reads of one file at once could end in the wrong order. */
function inTurn<T>(task: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(task)
    last = next
    return next
  }
}
