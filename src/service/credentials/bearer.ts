/** Authenticates `Authorization: Bearer`: configured tokens, those of the token file, and JWTs. */
import type { FastifyRequest } from 'fastify'
import { digestOf } from './digest.ts'
import type { JwksEvents } from './jwks.ts'
import type { JwtVerifier } from './jwt.ts'
import type { CredentialOptions, JwksConfig } from './options.ts'
import type { Principal } from './principal.ts'
import { noteCredentialProblem } from './problem.ts'
import { readTokenFile } from './token-file.ts'
import { createTokenVerifier, tokenId } from './tokens.ts'

/** Part of the context of a security handler that is used here. */
export interface AuthenticateContext {
  /** Request for which the reason of a refusal is noted. Its connection caches the last accepted token. */
  readonly request: object
}

/**
 * Returns the principal of a bearer token, or undefined when it is refused.
 * @throws {FailureError} `unavailable`, when a JWT cannot be checked because there are no keys
 */
export type Authenticate = (
  token: string,
  context?: AuthenticateContext
) => Principal | undefined | Promise<Principal | undefined>

export interface BearerAuth {
  readonly authenticate: Authenticate
  /** Reads the token file again and returns its problems. Keeps the former tokens if there is a problem. */
  readonly reload: () => Promise<readonly string[]>
  /** Returns the principals of the current tokens. */
  readonly tokens: () => readonly string[]
  /** Returns false while JWTs are configured and the keys of the issuer have never been fetched. */
  readonly isReady: () => boolean
  readonly close: () => void
}

export type BearerAuthOrProblems = { readonly auth: BearerAuth } | { readonly problems: readonly string[] }

/** Opens all sources of credentials. A reload replaces the verifier atomically. */
export async function openBearerAuth(
  { tokens, tokensFile, jwks }: CredentialOptions,
  onJwks: JwksEvents
): Promise<BearerAuthOrProblems> {
  const configured = tokens.map(digestOf)
  let verifyToken = createTokenVerifier(configured)
  let ids = configured.map(tokenId)
  const load = async (): Promise<readonly string[]> => {
    const file = tokensFile === undefined ? { digests: [] } : await readTokenFile(tokensFile)
    if ('problems' in file) return file.problems.map((problem) => `AUTH_TOKENS_FILE: ${problem}`)
    verifyToken = createTokenVerifier([...configured, ...file.digests])
    ids = [...configured, ...file.digests].map(tokenId)
    return []
  }
  const problems = await load()
  if (problems.length > 0) return { problems }
  const jwt = await jwtVerifier(jwks, onJwks)
  return {
    auth: {
      authenticate: (token, context) => {
        const refuse = (problem: string): undefined => noteCredentialProblem(context?.request, problem)
        return verifyToken(token, connectionOf(context?.request)) ?? jwt.verify(token, refuse)
      },
      reload: serialized(load),
      tokens: () => ids,
      isReady: jwt.isReady,
      close: jwt.close
    }
  }
}

/** Returns the socket of a request of Fastify. */
function connectionOf(request: Partial<Pick<FastifyRequest, 'raw'>> = {}): object | undefined {
  return request.raw?.socket
}

/** Loads jose only where an issuer is configured. */
async function jwtVerifier(jwks: JwksConfig | undefined, events: JwksEvents): Promise<JwtVerifier> {
  if (jwks === undefined) return withoutIssuer
  const { createJwtVerifier } = await import('./jwt.ts')
  return createJwtVerifier(jwks, events)
}

const withoutIssuer: JwtVerifier = {
  verify: (_token, refuse) => refuse?.('no known token'),
  isReady: () => true,
  close: () => {}
}

/** Runs a task after its previous run, because concurrent reads of a file could end in the wrong order. */
function serialized<T>(task: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(task)
    last = next
    return next
  }
}
