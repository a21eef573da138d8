import type { SecurityHandlers } from './contract.ts'

export const exact: SecurityHandlers = {
  token: (token) => token.length > 0,
  basic: ({ username, password }) => username === password,
  key: (key, { request }) => key === request.method,
  queryKey: async (key) => key,
  cookieKey: (key) => key,
  oauth: (token, { scopes }) => scopes.includes(token),
  oidc: (token) => token
}

const { oidc, ...others } = exact
// @ts-expect-error a security handler is missing
export const missing: SecurityHandlers = others
// @ts-expect-error the contract has no such scheme
export const surplus: SecurityHandlers = { ...others, oidc, other: () => true }
// @ts-expect-error a Basic credential is not a string
export const basic: Pick<SecurityHandlers, 'basic'> = { basic: (credential: string) => credential }
