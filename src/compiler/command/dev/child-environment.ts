/**
 * Adds variables for the server to the environment of `npm run dev`: a log level, and a token unless credentials are
 * configured.
 */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { credentialVariables } from '@contract-first/service/internal/config/variables'
import { newToken } from '@contract-first/service/internal/credentials/tokens'

/** One token for all servers of this run, so that the docs page stays authorised across restarts. */
const runToken = newToken('dev_')

export interface ServerEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** The token that this run made; undefined when credentials are configured. */
  readonly token: string | undefined
}

/** Reads `.env` again for each server, because it may have been edited. */
export function serverEnvironment(): ServerEnvironment {
  const given = { ...environmentFile(), ...process.env }
  const token = credentialVariables.some((name) => given[name]) ? undefined : runToken
  const logLevel = given['LOG_LEVEL'] || 'warn'
  return { variables: { LOG_LEVEL: logLevel, ...(token !== undefined && { AUTH_TOKENS: token }) }, token }
}

/** Returns the token to show, when clients of the service send bearer tokens. */
export const shownToken = ({ usesTokens }: { readonly usesTokens: boolean }): string | undefined =>
  usesTokens ? serverEnvironment().token : undefined

/** Returns no variables when the file cannot be read: the server reports it. */
function environmentFile(): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch {
    return {}
  }
}
