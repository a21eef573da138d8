/** Variables of libpq that decide about the security of a connection to PostgreSQL. */
import type { Environment } from './read.ts'

/** Parameters of `postgres://` URLs by their variables (https://www.postgresql.org/docs/18/libpq-envars.html). */
const parameters: readonly (readonly [variable: string, parameter: string])[] = [
  ['PGSSLMODE', 'sslmode'],
  ['PGREQUIRESSL', 'requiressl'],
  ['PGSSLNEGOTIATION', 'sslnegotiation'],
  ['PGSSLROOTCERT', 'sslrootcert'],
  ['PGSSLCERT', 'sslcert'],
  ['PGSSLKEY', 'sslkey'],
  ['PGSSLCERTMODE', 'sslcertmode'],
  ['PGSSLCRL', 'sslcrl'],
  ['PGSSLCRLDIR', 'sslcrldir'],
  ['PGSSLSNI', 'sslsni'],
  ['PGSSLMINPROTOCOLVERSION', 'ssl_min_protocol_version'],
  ['PGSSLMAXPROTOCOLVERSION', 'ssl_max_protocol_version'],
  ['PGREQUIREPEER', 'requirepeer'],
  ['PGREQUIREAUTH', 'require_auth'],
  ['PGCHANNELBINDING', 'channel_binding'],
  ['PGGSSENCMODE', 'gssencmode'],
  ['PGGSSLIB', 'gsslib'],
  ['PGGSSDELEGATION', 'gssdelegation'],
  ['PGKRBSRVNAME', 'krbsrvname'],
  ['PGHOSTADDR', 'hostaddr'],
  ['PGSERVICE', 'service'],
  ['PGSERVICEFILE', 'servicefile'],
  ['PGPASSFILE', 'passfile'],
  ['PGTARGETSESSIONATTRS', 'target_session_attrs']
]

/** Returns the URL with the variables as parameters, as far as it does not have these itself. */
export function withLibpqVariables(databaseUrl: string, environment: Environment): string {
  if (!/^postgres(ql)?:/.test(databaseUrl)) return databaseUrl
  const [, query = ''] = databaseUrl.split('?', 2)
  const given = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()))
  // As libpq reads the parameter of JDBC.
  if (given.has('ssl')) given.add('sslmode')
  const added = parameters.flatMap(([variable, name]) => {
    const value = environment[variable] ?? ''
    return value === '' || given.has(name) ? [] : `${name}=${encodeURIComponent(value)}`
  })
  if (added.length === 0) return databaseUrl
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${added.join('&')}`
}
