/** Client of a request whose credential was accepted. */
export interface Principal {
  /** Id for the log, not secret: `token:<8 hex of the digest>` or `jwt:<sub>`. */
  readonly id: string
}

/**
 * Returns the id of a principal, undefined where it has none. A principal that is a string has none, because it may be
 * the credential.
 */
export function principalId(principal: unknown): string | undefined {
  const id: unknown = Object(principal).id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
