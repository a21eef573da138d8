import { hash } from 'node:crypto'
import { isIP } from 'node:net'

/** Client of a request whose credential was accepted. */
export interface Principal {
  /** Id for the log, not secret: `token:<8 hex of the digest>` or `jwt:<sub>`. */
  readonly id: string
  /** Scopes that the credential carries (RFC 6749, section 3.3). */
  readonly scopes: readonly string[]
  /** Claims of a JWT (RFC 7519, section 4); empty for any other token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Returns the id of a principal, undefined where it has none. A principal that is a string has none, because it may be
 * the credential.
 */
export function principalId(principal: unknown): string | undefined {
  const id = readId(principal)
  return typeof id === 'string' || typeof id === 'number' ? bounded(String(id)) : undefined
}

/** Returns undefined where a project's principal cannot be read: its log line and its rate limit go on without it. */
function readId(principal: unknown): unknown {
  try {
    return Object(principal).id
  } catch {
    return undefined
  }
}

/** Maximum of characters of an id, which log lines and rate limits keep. */
const maxLength = 256

/** Replaces the end of a long id by its digest, so that ids stay distinct. */
function bounded(id: string): string {
  return id.length <= maxLength ? id : `${id.slice(0, 200)}:${hash('sha256', id, 'hex').slice(0, 32)}`
}

const problems = new WeakMap<object, string>()

/**
 * Notes the reason for which a credential was refused, for the log only.
 * @param request undefined where the reason is not logged
 */
export function noteCredentialProblem(request: object | undefined, problem: string): undefined {
  if (request !== undefined) problems.set(request, problem)
}

export const credentialProblemOf = (request: object): string | undefined => problems.get(request)

/** Matches an address with a port, as some proxies write it, or in brackets; and the zone of an IPv6 address. */
const withPort = /^(?:\[([^\]]*)\](?::\d*)?|(\d[\d.]*):\d*)$/
const zone = /%.*$/s

/**
 * Returns the IP address in a text that a client or a proxy has sent, without port, brackets and zone.
 * @returns undefined for every other text
 */
export function ipAddressOf(text: unknown): string | undefined {
  const [sent = ''] = typeof text === 'string' ? [text.trim()] : []
  const [, bracketed, plain] = withPort.exec(sent) ?? []
  const address = (bracketed ?? plain ?? sent).replace(zone, '')
  return isIP(address) === 0 ? undefined : address
}
