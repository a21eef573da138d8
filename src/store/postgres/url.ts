import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, createSecureContext, type SecureVersion } from 'node:tls'
import { StoreOpenError } from '../store.ts'

export interface Host {
  /** Name, address, or folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

/** Each part is empty where the URL has none. */
interface Login {
  readonly user: string
  readonly password: string
  readonly database: string
}

/** Meaning of a `postgres://` URL as in libpq (https://www.postgresql.org/docs/18/libpq-connect.html). */
export interface PostgresTarget {
  readonly hosts: readonly Host[]
  readonly login: Login
  /** Connections of the pool (`max`). */
  readonly poolSize: number
  /** Seconds (`connect_timeout`). */
  readonly connectTimeout: number
  /** Time in ms after which the server cancels a statement (`statement_timeout`), as for a lock or a stuck disk. */
  readonly statementTimeout: number
  /** Uses named statements; `prepare=false` is for poolers that assign a connection to one transaction. */
  readonly prepare: boolean
  /** `false`: no TLS; `prefer`: TLS where the server supports it, without a check of its certificate. */
  readonly tls: false | 'prefer' | ConnectionOptions
  /** `direct`: the TLS handshake begins at once, without a question to the server. */
  readonly sslnegotiation: 'direct' | 'postgres'
  /** Settings of every session, from all other parameters. */
  readonly settings: Readonly<Record<string, string>>
}

const defaultPort = 5432
const defaultPoolSize = 4
const defaultConnectTimeout = 3
const defaultStatementTimeout = 4_000

/** @throws {StoreOpenError} with a sentence that does not quote the URL, because it may contain a password */
export function parsePostgresUrl(databaseUrl: string): PostgresTarget {
  const [, user, password, authority = '', database, query] =
    /^\w+:\/\/(?:([^:@/?]*)(?::([^/?]*))?@)?([^@/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(databaseUrl) ??
    refuse('is not a URL')
  const parameters = parametersOf(query)
  const take = (name: string) => {
    const value = parameters.get(name)
    parameters.delete(name)
    return value
  }
  const attributes = parameters.get('target_session_attrs') ?? 'any'
  if (!['any', 'read-write', 'primary'].includes(attributes))
    refuse(`has target_session_attrs=${attributes}, but plants can be stored on a primary only`)
  const hosts = parseHosts(authority, take('host'), take('port'))
  // As in libpq, a parameter replaces what stands before the question mark.
  const login = {
    user: take('user') ?? decoded(user),
    password: take('password') ?? decoded(password),
    database: take('dbname') ?? decoded(database)
  }
  const passfile = take('passfile')
  if (passfile !== undefined) login.password ||= passwordIn(passfile, hosts, login)
  return {
    hosts,
    login,
    poolSize: positive('max', take('max'), defaultPoolSize),
    connectTimeout: positive('connect_timeout', take('connect_timeout'), defaultConnectTimeout),
    statementTimeout: positive('statement_timeout', take('statement_timeout'), defaultStatementTimeout),
    prepare: take('prepare') !== 'false',
    ...parseTls(take),
    settings: sessionSettings(parameters)
  }
}

/** Returns the parameters by their names in lower case, as the server reads them, each of which must occur once. */
function parametersOf(query: string | undefined): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [given, value] of new URLSearchParams(query)) {
    const name = given.toLowerCase()
    if (parameters.has(name)) refuse(`has ${name} twice`)
    parameters.set(name, value)
  }
  // As libpq reads the parameter of JDBC.
  if (parameters.get('ssl') !== 'true' || !parameters.delete('ssl')) return parameters
  if (parameters.has('sslmode')) refuse('has both ssl and sslmode')
  return parameters.set('sslmode', 'require')
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('has a % that begins no escape')
  }
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  return /^[1-9]\d{0,5}$/.test(text)
    ? Number(text)
    : refuse(`must have a whole number from 1 to 999999 as ${name}`)
}

/**
 * Parses `a,b:5433,[::1]`.
 * @param hosts names or addresses in place of those of the authority
 * @param ports in place of those of the authority: one for all hosts, or one for each
 */
function parseHosts(authority: string, hosts?: string, ports?: string): Host[] {
  const pairs = authority
    .split(',')
    .map((text) => /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? refuse('has a host that is not HOST:PORT'))
  const names = hosts?.split(',') ?? pairs.map(([, host = '']) => decoded(host.replace(/^\[(.*)\]$/, '$1')))
  const numbers = ports?.split(',') ?? pairs.map(([, , port = '']) => port)
  if (![1, names.length].includes(numbers.length)) refuse('has another number of ports than of hosts')
  return names.map((host, index) => {
    const port = Number(numbers[numbers.length === 1 ? 0 : index] || defaultPort)
    if (!(port > 0 && port < 65_536)) refuse('has a port that is none')
    return { host: host || 'localhost', port }
  })
}

/**
 * Returns the password of a password file (https://www.postgresql.org/docs/18/libpq-pgpass.html): that of the first
 * line `host:port:database:user:password` that matches; `*` matches everything, `\\` and `\:` stand for a backslash
 * and a colon. The password of the first host is used for all hosts; the database defaults to the name of the user.
 */
function passwordIn(path: string, [host]: readonly Host[], { user, database }: Login): string {
  const wanted = [host?.host, String(host?.port), database || user, user]
  for (const line of read(path).split(/\r?\n/)) {
    const fields = [...line.matchAll(/(?:^|:)((?:[^\\:]|\\.)*)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1')
    )
    const isMatch = wanted.every((value, index) => fields[index] === '*' || fields[index] === value)
    if (isMatch && !line.startsWith('#') && fields[4] !== undefined) return fields[4]
  }
  return refuse(`names a passfile without a line for it, ${path}`)
}

type Take = (name: string) => string | undefined

const names = [
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslcrl',
  'sslsni',
  'sslnegotiation',
  'ssl_min_protocol_version',
  'ssl_max_protocol_version'
] as const

type Given = Partial<Record<(typeof names)[number], string | undefined>>

const versions: readonly string[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] satisfies SecureVersion[]

/**
 * Parses the TLS of a URL by the table of libpq (https://www.postgresql.org/docs/18/libpq-ssl.html).
 * @throws {StoreOpenError} for what would be weaker than in libpq
 */
function parseTls(take: Take): Pick<PostgresTarget, 'tls' | 'sslnegotiation'> {
  const given: Given = Object.fromEntries(names.map((name) => [name, take(name)]))
  const mode = take('sslmode') ?? (given.sslrootcert === 'system' ? 'verify-full' : undefined)
  const option = names.find((name) => given[name] !== undefined)
  if (mode === undefined && option !== undefined) refuse(`has ${option} without sslmode`)
  if (mode === 'disable' && (given.sslrootcert === 'system' || given.sslnegotiation === 'direct'))
    refuse('has sslmode=disable with sslrootcert=system or sslnegotiation=direct, which require TLS')
  if (mode === undefined || mode === 'disable') return { tls: false, sslnegotiation: 'postgres' }
  if (mode === 'allow' || mode === 'prefer') {
    if (option !== undefined)
      refuse(`has ${option}, which requires sslmode=require, verify-ca or verify-full`)
    return { tls: 'prefer', sslnegotiation: 'postgres' }
  }
  const { sslnegotiation = 'postgres' } = given
  const tls = required(mode, given)
  if (sslnegotiation !== 'postgres' && sslnegotiation !== 'direct')
    refuse('must have postgres or direct as sslnegotiation')
  return { tls, sslnegotiation }
}

function required(mode: string, given: Given): ConnectionOptions {
  const options = { ...authorities(given), ...identity(given), ...protocols(given), ...serverName(given) }
  try {
    createSecureContext(options)
  } catch (error) {
    refuse(`names a certificate, key or revocation list that cannot be used: ${(error as Error).message}`)
  }
  if (mode === 'verify-full') return options
  if (given.sslrootcert === 'system')
    refuse(
      `has sslmode=${mode}, by which any public certificate would do; sslrootcert=system needs verify-full`
    )
  // "if a root CA file exists, the behavior of sslmode=require will be the same as that of verify-ca"
  const hasAuthority = options.ca !== undefined
  if (mode === 'require' && !hasAuthority) return { ...options, rejectUnauthorized: false }
  if (mode !== 'require' && mode !== 'verify-ca') refuse(`has an unknown sslmode, ${mode}`)
  if (!hasAuthority) refuse('has sslmode=verify-ca without sslrootcert=FILE')
  return { ...options, checkServerIdentity: () => undefined }
}

/** Reads the authorities and the revocation list; the files of libpq in the home directory are the default. */
function authorities({ sslrootcert, sslcrl }: Given): ConnectionOptions {
  if (sslrootcert === 'system') return sslcrl === undefined ? {} : { crl: read(sslcrl) }
  const ca = sslrootcert ?? existing('root.crt')
  const crl = sslcrl ?? existing('root.crl')
  if (ca === undefined && sslcrl !== undefined) refuse('has sslcrl without sslrootcert')
  return { ...(ca && { ca: read(ca) }), ...(ca && crl && { crl: read(crl) }) }
}

function existing(name: string): string | undefined {
  const path = join(homedir(), '.postgresql', name)
  return existsSync(path) ? path : undefined
}

function identity({ sslcert, sslkey, sslpassword }: Given): ConnectionOptions {
  if ((sslcert === undefined) !== (sslkey === undefined))
    refuse('has one of sslcert and sslkey without the other')
  if (sslcert === undefined || sslkey === undefined) return {}
  return { cert: read(sslcert), key: read(sslkey), ...(sslpassword && { passphrase: sslpassword }) }
}

function protocols(given: Given): ConnectionOptions {
  const minVersion = given.ssl_min_protocol_version ?? 'TLSv1.2'
  const maxVersion = given.ssl_max_protocol_version ?? 'TLSv1.3'
  const [least, most] = [versions.indexOf(minVersion), versions.indexOf(maxVersion)]
  if (least < 0 || most < least)
    refuse(
      `must have ssl_min_protocol_version and ssl_max_protocol_version in the order ${versions.join(', ')}`
    )
  return { minVersion: minVersion as SecureVersion, maxVersion: maxVersion as SecureVersion }
}

function serverName({ sslsni = '1' }: Given): { servername?: string } {
  if (sslsni === '1') return {}
  return sslsni === '0' ? { servername: '' } : refuse('must have 0 or 1 as sslsni')
}

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
 * Returns the settings of a session. They enforce the flush of commits, whatever a role or database defaults to.
 * @throws {StoreOpenError} that names a parameter which is not implemented
 */
function sessionSettings(parameters: ReadonlyMap<string, string>): Record<string, string> {
  const settings = { application_name: 'plant-store', synchronous_commit: 'on' }
  for (const [name, value] of parameters) {
    const values = kept.get(name)
    if (values !== undefined && !values.includes(value))
      refuse(`has ${name}=${value}; ${values.join(' or ')} is supported`)
    if (ignored.has(name) || values !== undefined) continue
    if (clientSide.test(name)) refuse(`has ${name}, which is not supported`)
    Object.assign(settings, { [name]: value })
  }
  if (!['on', 'remote_apply'].includes(settings.synchronous_commit))
    refuse('must have on or remote_apply as synchronous_commit, because acknowledged plants could be lost')
  return settings
}

/** @throws {StoreOpenError} with a sentence that must not quote the URL, because it may contain a password */
function refuse(problem: string): never {
  throw new StoreOpenError(`DATABASE_URL ${problem}`)
}

/** Reads a file that the URL names. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return refuse(`names a file that cannot be read, ${path}`)
  }
}
