import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { StoreOpenError } from '../batch-store.ts'
import { passwordIn } from './passfile.ts'

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
  /** TLS options; `false`: no TLS; `prefer`: TLS where the server supports it. */
  readonly tls: false | 'prefer' | ConnectionOptions
  /** Settings of every session, from all other parameters. */
  readonly settings: Readonly<Record<string, string>>
}

const defaultPort = 5432
const defaultPoolSize = 4
const defaultConnectTimeout = 3
const defaultStatementTimeout = 4_000

/** Parameters of libpq that are not settings of a session, and that are ignored. */
const clientOnly = new Set(
  `target_session_attrs channel_binding gssencmode load_balance_hosts require_auth service sslcompression
  sslcrl sslsni keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout`.split(/\s+/)
)

/** @throws {StoreOpenError} with a sentence that does not quote the URL, because it may contain a password */
export function parsePostgresUrl(databaseUrl: string): PostgresTarget {
  const [, user, password, authority = '', database, query] =
    /^\w+:\/\/(?:([^:@/?]*)(?::([^/?]*))?@)?([^@/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(databaseUrl) ??
    refuse('is not a URL')
  const parameters = new URLSearchParams(query)
  const take = (name: string) => {
    const value = parameters.get(name) ?? undefined
    parameters.delete(name)
    return value
  }
  refuseReplicas(parameters.get('target_session_attrs'))
  const hosts = parseHosts(take('host') ?? authority, take('port'))
  const login = given({
    user: decoded(user) ?? take('user'),
    password: decoded(password) ?? take('password'),
    database: decoded(database) ?? take('dbname')
  })
  return {
    hosts,
    login: { ...passwordOf(take('passfile'), hosts, login), ...login },
    poolSize: positive('max', take('max'), defaultPoolSize),
    connectTimeout: positive('connect_timeout', take('connect_timeout'), defaultConnectTimeout),
    statementTimeout: positive('statement_timeout', take('statement_timeout'), defaultStatementTimeout),
    prepare: take('prepare') !== 'false',
    tls: parseTls(take),
    settings: settings(parameters)
  }
}

/** Removes the fields that are undefined. */
function given(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Returns the password of the first host, used for all hosts. The database defaults to the name of the user. */
function passwordOf(
  passfile: string | undefined,
  [host]: readonly Host[],
  { user = '', database = user }: PostgresTarget['login']
): { password?: string } {
  if (passfile === undefined || host === undefined) return {}
  const password = passwordIn(read(passfile), { ...host, database, user })
  return password === undefined ? refuse(`names a passfile without a line for it, ${passfile}`) : { password }
}

type Take = (name: string) => string | undefined

function refuse(problem: string): never {
  throw new StoreOpenError(`DATABASE_URL ${problem}`)
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined
  } catch {
    return refuse('has a % that begins no escape')
  }
}

function refuseReplicas(attributes: string | null): void {
  if (attributes === null || ['any', 'read-write', 'primary'].includes(attributes)) return
  refuse(`has target_session_attrs=${attributes}, but plants can be stored on a primary only`)
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  return /^[1-9]\d{0,5}$/.test(text)
    ? Number(text)
    : refuse(`must have a whole number from 1 to 999999 as ${name}`)
}

/** Parses `a,b:5433,[::1]`, and separate ports: one for all hosts, or one for each. */
function parseHosts(hosts: string, ports = ''): Host[] {
  const apart = ports.split(',')
  return hosts.split(',').map((text, index) => {
    const [, host = '', port] =
      /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? refuse('has a host that is not HOST:PORT')
    const number = Number(port ?? (apart[apart.length === 1 ? 0 : index] || defaultPort))
    if (!(number > 0 && number < 65_536)) refuse('has a port that is none')
    return { host: decoded(host.replace(/^\[(.*)\]$/, '$1')) ?? 'localhost', port: number }
  })
}

/** Parses sslmode (https://www.postgresql.org/docs/18/libpq-ssl.html#LIBPQ-SSL-PROTECTION). */
function parseTls(take: Take): PostgresTarget['tls'] {
  const mode = take('sslmode') ?? 'disable'
  const authority = take('sslrootcert')
  const files = {
    ca: authority === 'system' ? undefined : authority,
    cert: take('sslcert'),
    key: take('sslkey')
  }
  const identity = Object.fromEntries(Object.entries(given(files)).map(([name, path]) => [name, read(path)]))
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  if (mode === 'verify-full') return identity
  // "if a root CA file exists, the behavior of sslmode=require will be the same as that of verify-ca"
  if (mode === 'verify-ca' || (mode === 'require' && authority))
    return { ...identity, checkServerIdentity: () => undefined }
  if (mode === 'require') return { ...identity, rejectUnauthorized: false }
  return refuse(`has an unknown sslmode, ${mode}`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return refuse(`names a file that cannot be read, ${path}`)
  }
}

/** Returns the settings of a session. They enforce the flush of commits, whatever a role or database defaults to. */
function settings(parameters: URLSearchParams): Record<string, string> {
  const all = { application_name: 'plant-store', synchronous_commit: 'on', ...Object.fromEntries(parameters) }
  if (all.synchronous_commit === 'off')
    refuse('turns synchronous_commit off, so that acknowledged plants could be lost')
  return Object.fromEntries(Object.entries(all).filter(([name]) => !clientOnly.has(name)))
}
