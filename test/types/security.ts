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
// @ts-expect-error security handlers are total
export const missing: SecurityHandlers = others
// @ts-expect-error for no scheme of the contract
export const surplus: SecurityHandlers = { ...others, oidc, other: () => true }
// @ts-expect-error a credential of Basic is no text
export const basic: Pick<SecurityHandlers, 'basic'> = { basic: (credential: string) => credential }
