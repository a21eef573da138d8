/** Credentials of requests by security scheme (OpenAPI 3.1.0, section 4.8.27), and the handlers that judge them. */
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { SecurityRequirement, SecurityScheme } from '../../model/compiled-contract.ts'

export type Credential =
  | { readonly kind: 'absent' }
  /** Text that cannot be a credential of the scheme; the problem does not quote it. */
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'present'; readonly value: string | BasicCredential | object }

export type Present = Extract<Credential, { kind: 'present' }>

interface BasicCredential {
  readonly username: string
  readonly password: string
}

export type SecurityHandler = (
  credential: never,
  context: { readonly scopes: readonly string[]; readonly request: FastifyRequest }
) => unknown

/** Scheme of an alternative, with its handler. */
export interface Check extends SecurityRequirement {
  readonly definition: SecurityScheme
  readonly read: ReadCredential
  readonly handler: SecurityHandler
}

/** Reads the credential of a request by its scheme (OpenAPI 3.1.0, section 4.8.27). */
export type ReadCredential = (request: IncomingMessage) => Credential
