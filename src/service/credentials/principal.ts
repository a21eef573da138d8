/** The client of a request whose credential was accepted. */
export interface Principal {
  /** Logged, so not secret: `token:<8 hex of the digest>` or `jwt:<sub>`. */
  readonly id: string
}
