/** Puts the credential of a security scheme into words, for a request that was sent without it. */
import type { SecurityScheme } from '../../model/compiled-contract.ts'
import { schemeName } from './credentials.ts'

/** Names come from the contract; what is sent in their place is in angle brackets. */
export function expectedCredential(scheme: SecurityScheme): string {
  if (scheme.type === 'mutualTLS') return 'a client certificate'
  if (scheme.type === 'apiKey') return apiKey[scheme.in](scheme.name)
  if (scheme.type !== 'http' || scheme.scheme === 'bearer') return 'Authorization: Bearer <token>'
  return `Authorization: ${schemeName(scheme.scheme)} <credentials>`
}

const apiKey = {
  header: (name: string) => `${name}: <key>`,
  query: (name: string) => `?${name}=<key>`,
  cookie: (name: string) => `Cookie: ${name}=<key>`
} as const
