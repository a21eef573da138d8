/** Who a request comes from, once its credential was accepted. */
export interface Principal {
  /** Not secret, so that it may be logged: `token:<8 hex of the digest>` or `jwt:<sub>`. */
  readonly id: string
}
