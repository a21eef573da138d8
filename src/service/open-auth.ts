/** Opens the credentials of AUTH_*. */

import type { FastifyBaseLogger } from 'fastify'
import {
  type BearerAuth,
  type CredentialOptions,
  jwksReporter,
  openBearerAuth
} from './credentials/bearer.ts'
import type { KnownToken } from './credentials/tokens.ts'
import { StartError } from './start-error.ts'

/**
 * @param made token that was made for this run
 * @throws {StartError} with the problems of the token file
 */
export async function openAuth(
  { auth }: { readonly auth: CredentialOptions },
  log: FastifyBaseLogger,
  made?: KnownToken
): Promise<BearerAuth> {
  const opened = await openBearerAuth(auth, jwksReporter(log), made)
  if ('problems' in opened) throw new StartError(opened.problems)
  return opened.auth
}
