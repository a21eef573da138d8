/**
 * The URL has libpq's meaning: https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNSTRING-URIS. Parameters
 * that this client does not implement are refused by name, never ignored in silence.
 */
import { test } from 'tap'
import { isServerLost, isWorthRetrying, reason } from '../../../src/store/postgres/connection.ts'
import { parsePostgresUrl } from '../../../src/store/postgres/url.ts'

const hosts: Readonly<Record<string, string>> = {
  'postgres://a': 'a:5432',
  'postgresql://a:6543/db': 'a:6543',
  'postgres://u:p@a,b:1,c/db': 'a:5432 b:1 c:5432',
  'postgres://[::1]:6543,[fe80::1]/db': '::1:6543 fe80::1:5432',
  'postgres://': 'localhost:5432',
  'postgres:///db?host=/var/run/postgresql': '/var/run/postgresql:5432',
  'postgres://%2Fvar%2Frun/db': '/var/run:5432',
  'postgres:///db?host=a,b&port=1,2': 'a:1 b:2',
  'postgres:///db?host=a,b&port=7': 'a:7 b:7',
  'postgres://a:1/db?port=2': 'a:2',
  'postgres://a:1/db?host=b': 'b:1',
  'postgres://a:1,b:2/db?host=c,d': 'c:1 d:2',
  'postgres://:1/db?host=/var/run/postgresql': '/var/run/postgresql:1',
  'postgres:///db?host=::1&port=2': '::1:2'
}

const [defaults, login] = [
  { application_name: 'plant-store', synchronous_commit: 'on' },
  { user: 'u', password: 'p', database: 'd' }
]

/** Parts of the target that a URL means. */
const targets: readonly (readonly [url: string, want: object])[] = [
  ['us%40er:p%3Ass@a/d%20b', { login: { user: 'us@er', password: 'p:ss', database: 'd b' } }],
  [
    'a',
    {
      login: { user: '', password: '', database: '' },
      prepare: true,
      poolSize: 4,
      connectTimeout: 3,
      statementTimeout: 4_000,
      tls: false
    }
  ],
  ['a?max=7&connect_timeout=2&prepare=false', { poolSize: 7, connectTimeout: 2, prepare: false }],
  [
    'a?application_name=x&lock_timeout=9',
    { settings: { ...defaults, application_name: 'x', lock_timeout: '9' } }
  ],
  ['a?synchronous_commit=remote_apply', { settings: { ...defaults, synchronous_commit: 'remote_apply' } }],
  // An @ may stand as it is; a parameter replaces what precedes it, and is no setting, which the server would log.
  ['u:p@ss@a', { login: { user: 'u', password: 'p@ss', database: '' }, hosts: [{ host: 'a', port: 5432 }] }],
  ['a?user=u&password=p&dbname=d', { login, settings: defaults }],
  ['a:b@h/c?user=u&password=p&dbname=d', { login, settings: defaults }],
  // Values that ask for what is done anyway are accepted, and do not reach the server.
  ['a?target_session_attrs=read-write&channel_binding=prefer&keepalives=1', { settings: defaults }],
  ['a?gssencmode=disable&sslcertmode=allow&client_encoding=UTF8&sslcompression=0', { settings: defaults }],
  ['a?max_protocol_version=latest&load_balance_hosts=random', { settings: defaults }],
  ['a?options=-c x.y=1', { settings: { ...defaults, options: '-c x.y=1' } }]
]

test('a URL is hosts, login, options and settings of the session', async (t) => {
  for (const [url, want] of Object.entries(hosts)) {
    const found = parsePostgresUrl(url).hosts.map(({ host, port }) => `${host}:${port}`)
    t.equal(found.join(' '), want, url)
  }
  for (const [url, want] of targets) {
    const target = parsePostgresUrl(`postgres://${url}`)
    t.strictSame(target, { ...target, ...want }, url)
  }
})

const refused: readonly (readonly [url: string, reason: string])[] = [
  ['postgres:u:secret@a', 'is not a URL'],
  ['postgres://u:secret%zz@a', 'has a % that begins no escape'],
  ['postgres://u:secret@a:b:c/db', 'has a host that is not HOST:PORT'],
  ['postgres://u:secret@a:99999/db', 'has a port that is none'],
  ['postgres://u:secret@a,b,c/db?port=1,2', 'has another number of ports than of hosts'],
  ['max=0', 'must have a whole number from 1 to 999999 as max'],
  ['connect_timeout=soon', 'must have a whole number from 1 to 999999 as connect_timeout'],
  ['statement_timeout=1s', 'must have a whole number from 1 to 999999 as statement_timeout'],
  [
    'target_session_attrs=standby',
    'has target_session_attrs=standby, but plants can be stored on a primary only'
  ],
  ['synchronous_commit=off', 'must have on or remote_apply as synchronous_commit'],
  ['Synchronous_Commit=remote_write', 'must have on or remote_apply as synchronous_commit'],
  ['max=1&max=2', 'has max twice'],
  ['max=1&MAX=2', 'has max twice'],
  ['channel_binding=require', 'has channel_binding=require; disable or prefer is supported'],
  ['gssencmode=require', 'has gssencmode=require; disable or prefer is supported'],
  ['sslcertmode=require', 'has sslcertmode=require; allow is supported'],
  ['client_encoding=LATIN1', 'has client_encoding=LATIN1; utf8 or UTF8 or utf-8 or UTF-8 is supported'],
  ['max_protocol_version=4.0', 'has max_protocol_version=4.0; 3.0 or 3.2 or latest is supported'],
  ...(
    'require_auth=scram-sha-256 requirepeer=postgres requiressl=1 krbsrvname=postgres gsslib=gssapi gssdelegation=1 ' +
    'service=plants servicefile=/etc/pg_service.conf hostaddr=127.0.0.1 replication=true sslcrldir=/etc/crl ' +
    'sslkeylogfile=/tmp/keys ssl_mode=require ssl=1 ssl=false scram_client_key=a oauth_issuer=a REQUIRE_AUTH=password'
  )
    .split(' ')
    .map(
      (parameter) =>
        [parameter, `has ${parameter.toLowerCase().split('=')[0]}, which is not supported`] as const
    )
]

test('what is wrong, or not implemented, is refused with a sentence without the password', async (t) => {
  for (const [given, reason] of refused) {
    const url = given.startsWith('postgres:') ? given : `postgres://u:secret@a?sslmode=require&${given}`
    const { name, message } = t.throws(() => parsePostgresUrl(url), url) as Error
    t.equal(name, 'StoreOpenError')
    t.ok(message.startsWith(`DATABASE_URL ${reason}`) && !message.includes('secret'), `${url}: ${message}`)
  }
})

/** Lines of a password file, and the password for gardener@db/plants. */
const passwords: readonly (readonly [text: string, want?: string])[] = [
  ['db:5432:plants:gardener:secret', 'secret'],
  ['*:*:*:*:secret\n', 'secret'],
  ['other:*:*:*:no\r\ndb:*:*:*:yes\r\n*:*:*:*:no', 'yes'],
  [String.raw`*:*:*:*:a\:b\\c`, String.raw`a:b\c`],
  ['*:*:*:*:', ''],
  ['#*:*:*:*:secret'],
  ['*:*:*:eve:secret'],
  ['*:*:*:*'],
  ['']
]

test('a passfile gives the password that the URL does not hold', async (t) => {
  for (const [text, password] of passwords) {
    const passfile = `${t.testdir({ pgpass: text })}/pgpass`
    const parsed = () => parsePostgresUrl(`postgres://gardener@db/plants?passfile=${passfile}`).login
    if (password === undefined) t.throws(parsed, /names a passfile without a line for it/, text)
    else t.strictSame(parsed(), { user: 'gardener', password, database: 'plants' }, text)
    const own = parsePostgresUrl(`postgres://gardener:own@db/plants?passfile=${passfile}`)
    t.equal(own.login.password, 'own')
  }
  const passfile = `${t.testdir({ pgpass: '*:*:gardener:gardener:secret' })}/pgpass`
  t.equal(parsePostgresUrl(`postgres://gardener@db?passfile=${passfile}`).login.password, 'secret')
  t.throws(
    () => parsePostgresUrl('postgres://gardener@db/plants?passfile=/nowhere'),
    /cannot be read, \/nowhere$/
  )
})

const said = (code: string) => Object.assign(new Error('text'), { name: 'PostgresError', code })
const epipe = Object.assign(new Error(''), { code: 'EPIPE' })

/** Errors that are hard to cause on a real server, and what they mean. */
const meanings: readonly (readonly [error: Error, meaning: string, reason: string])[] = [
  [new Error('PostgreSQL does not answer'), 'lost, retried', 'cannot be reached: PostgreSQL does not answer'],
  [epipe, 'lost, retried', 'cannot be reached: EPIPE'],
  [said('57P01'), 'lost, retried', 'refused: text'],
  [said('08006'), 'lost, retried', 'refused: text'],
  [said('40001'), 'retried', 'refused: text'],
  [said('53300'), 'retried', 'refused: text'],
  [said('53100'), '', 'refused: text'],
  [said('42501'), '', 'refused: text']
]

test('an error means that the server is lost, or that the statement is worth another try', async (t) => {
  for (const [error, meaning, text] of meanings) {
    const found = { lost: isServerLost(error), retried: isWorthRetrying(error) }
    const names = Object.entries(found).flatMap(([name, isSo]) => (isSo ? [name] : []))
    t.strictSame([names.join(', '), reason(error)], [meaning, text])
  }
})
