/** The client of a request whose credential was accepted. */
export interface Principal {
  /** Logged, so not secret: `token:<8 hex of the digest>` or `jwt:<sub>`. */
  readonly id: string
}

/**
 * Returns the id of what a security handler returned, undefined where it has none. A principal that is a text itself has none,
 * because the text may be the credential.
 */
export function principalId(principal: unknown): string | undefined {
  const id: unknown = Object(principal).id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
