import { read, refuse, sessionParameters } from './client-parameters.ts'
import { parseTls, type Tls } from './tls.ts'

export interface Host {
  /** Name, address, or folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

/** Meaning of a `postgres://` URL as in libpq (https://www.postgresql.org/docs/18/libpq-connect.html). */
export interface PostgresTarget {
  readonly hosts: readonly Host[]
  /** User, password and database, as far as the URL has them. */
  readonly login: { readonly user?: string; readonly password?: string; readonly database?: string }
  /** Connections of the pool (`max`). */
  readonly poolSize: number
  /** Seconds (`connect_timeout`). */
  readonly connectTimeout: number
  /** Time in ms after which the server cancels a statement (`statement_timeout`), as for a lock or a stuck disk. */
  readonly statementTimeout: number
  /** Uses named statements; `prepare=false` is for poolers that assign a connection to one transaction. */
  readonly prepare: boolean
  readonly tls: Tls['options']
  /** True if the TLS handshake begins at once (`sslnegotiation=direct`). */
  readonly isTlsDirect: boolean
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
  refuseReplicas(parameters.get('target_session_attrs'))
  const hosts = parseHosts(authority, take('host'), take('port'))
  // As in libpq, a parameter replaces what stands before the question mark.
  const login = given({
    user: take('user') ?? decoded(user),
    password: take('password') ?? decoded(password),
    database: take('dbname') ?? decoded(database)
  })
  const tls = parseTls(take)
  return {
    hosts,
    login: passwordOf(take('passfile'), hosts, login),
    poolSize: positive('max', take('max'), defaultPoolSize),
    connectTimeout: positive('connect_timeout', take('connect_timeout'), defaultConnectTimeout),
    statementTimeout: positive('statement_timeout', take('statement_timeout'), defaultStatementTimeout),
    prepare: take('prepare') !== 'false',
    tls: tls.options,
    isTlsDirect: tls.isDirect,
    settings: settings(parameters)
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

/** Removes the fields that are undefined. */
function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Adds the password of the first host, used for all hosts. The database defaults to the name of the user. */
function passwordOf(
  passfile: string | undefined,
  [host]: readonly Host[],
  login: PostgresTarget['login']
): PostgresTarget['login'] {
  if (passfile === undefined || login.password !== undefined || host === undefined) return login
  const { user = '', database = user } = login
  const password = passwordIn(read(passfile), { ...host, database, user })
  return password === undefined
    ? refuse(`names a passfile without a line for it, ${passfile}`)
    : { ...login, password }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined
  } catch {
    return refuse('has a % that begins no escape')
  }
}

function refuseReplicas(attributes: string | undefined): void {
  if (attributes === undefined || ['any', 'read-write', 'primary'].includes(attributes)) return
  refuse(`has target_session_attrs=${attributes}, but plants can be stored on a primary only`)
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
  const names =
    hosts?.split(',') ?? pairs.map(([, host = '']) => decoded(host.replace(/^\[(.*)\]$/, '$1')) ?? '')
  const numbers = ports?.split(',') ?? pairs.map(([, , port = '']) => port)
  if (![1, names.length].includes(numbers.length)) refuse('has another number of ports than of hosts')
  return names.map((host, index) => {
    const port = Number(numbers[numbers.length === 1 ? 0 : index] || defaultPort)
    if (!(port > 0 && port < 65_536)) refuse('has a port that is none')
    return { host: host || 'localhost', port }
  })
}

/** Returns the settings of a session. They enforce the flush of commits, whatever a role or database defaults to. */
function settings(parameters: ReadonlyMap<string, string>): Record<string, string> {
  const defaults = { application_name: 'plant-store', synchronous_commit: 'on' }
  const all = { ...defaults, ...sessionParameters(parameters) }
  if (!['on', 'remote_apply'].includes(all.synchronous_commit))
    refuse('must have on or remote_apply as synchronous_commit, because acknowledged plants could be lost')
  return all
}

interface Login {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/**
 * Returns the password of a password file (https://www.postgresql.org/docs/18/libpq-pgpass.html): that of the first
 * line `host:port:database:user:password` that matches; `*` matches everything.
 * @param text the lines of the file; `\\` and `\:` stand for a backslash and a colon
 */
export function passwordIn(text: string, { host, port, database, user }: Login): string | undefined {
  const wanted = [host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    const fields = [...line.matchAll(/(?:^|:)((?:[^\\:]|\\.)*)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1')
    )
    const isMatch = wanted.every((value, index) => fields[index] === '*' || fields[index] === value)
    if (isMatch && !line.startsWith('#') && fields[4] !== undefined) return fields[4]
  }
  return undefined
}
