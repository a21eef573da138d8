/** What a server finds in its environment besides what `npm run dev` was started with. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { newToken } from '../../src/service/credentials/tokens.ts'

const credentials = ['AUTH_TOKENS', 'AUTH_TOKENS_FILE', 'AUTH_JWKS_URL']

/** One for all servers of this run, so that the docs page stays authorised from one to the next. */
const made = newToken()

export interface ServerEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** Undefined where credentials are configured. */
  readonly token: string | undefined
}

/** Read anew for each server, for `.env` may be edited, too. */
export function serverEnvironment(): ServerEnvironment {
  const given = { ...environmentFile(), ...process.env }
  const token = credentials.some((name) => given[name]) ? undefined : made
  const logLevel = given['LOG_LEVEL'] || 'warn'
  return { variables: { LOG_LEVEL: logLevel, ...(token !== undefined && { AUTH_TOKENS: token }) }, token }
}

/** One that can not be read is told of by the server. */
function environmentFile(): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch {
    return {}
  }
}
