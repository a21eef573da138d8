/** Syntax of the text after `Bearer` (RFC 6750, section 2.1). */
export const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/
