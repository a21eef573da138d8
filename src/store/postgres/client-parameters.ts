/** Parameters of libpq for the client side of a connection (https://www.postgresql.org/docs/18/libpq-connect.html). */
import { readFileSync } from 'node:fs'
import { StoreOpenError } from '../store.ts'

/** Parameters that have no effect here: only primaries are used, and the sockets are Node's. */
const ignored = new Set(
  `target_session_attrs load_balance_hosts sslcompression fallback_application_name
  keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout`.split(/\s+/)
)

/** Values that ask for what is done anyway; every other value would be a promise that is not kept. */
const kept = new Map([
  ['channel_binding', ['disable', 'prefer']],
  ['gssencmode', ['disable', 'prefer']],
  ['sslcertmode', ['allow']],
  ['client_encoding', ['utf8', 'UTF8', 'utf-8', 'UTF-8']],
  ['min_protocol_version', ['3.0']],
  ['max_protocol_version', ['3.0', '3.2', 'latest']]
])

/** Names and beginnings of names that the client must implement; as settings of the session they would come too late. */
const clientSide = /^(ssl|gss|krb|scram|oauth|requir|service|hostaddr$|replication$)/

/**
 * Returns the parameters that are settings of the session.
 * @throws {StoreOpenError} that names a parameter which is not implemented
 */
export function sessionParameters(parameters: Iterable<readonly [string, string]>): Record<string, string> {
  const settings = [...parameters].filter(([name, value]) => {
    if (kept.has(name) || clientSide.test(name)) requireKept(name, value)
    return !ignored.has(name) && !kept.has(name)
  })
  return Object.fromEntries(settings)
}

function requireKept(name: string, value: string): void {
  const values = kept.get(name)
  if (ignored.has(name) || values?.includes(value)) return
  refuse(
    values
      ? `has ${name}=${value}; ${values.join(' or ')} is supported`
      : `has ${name}, which is not supported`
  )
}

/** @throws {StoreOpenError} with a sentence that must not quote the URL, because it may contain a password */
export function refuse(problem: string): never {
  throw new StoreOpenError(`DATABASE_URL ${problem}`)
}

/** Reads a file that the URL names. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return refuse(`names a file that cannot be read, ${path}`)
  }
}
