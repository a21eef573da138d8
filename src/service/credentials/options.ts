/** Credentials that the service accepts. */

export interface CredentialOptions {
  readonly tokens: readonly string[]
  readonly tokensFile: string | undefined
  readonly jwks: JwksConfig | undefined
}

/** Issuer of JWTs, and the claims that its tokens must have. */
export interface JwksConfig {
  readonly url: URL
  readonly issuer: string
  readonly audience: string
}
