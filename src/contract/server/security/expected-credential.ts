/** Describes the credential that a request without it should have sent. */
import type { SecurityScheme } from '../../model/compiled-contract.ts'
import { schemeName } from './credentials.ts'

/** Returns the names of the contract, with placeholders in angle brackets. */
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
