/** RFC 6750, section 2.1: what can follow `Bearer`. */
export const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/
