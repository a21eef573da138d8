/** The URL has libpq's meaning: https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNSTRING-URIS. */
import t, { test } from 'tap'
import { parsePostgresUrl, passwordIn } from '../../../src/store/postgres/url.ts'
import { StoreOpenError } from '../../../src/store/store.ts'

const hosts: [url: string, hosts: string[]][] = [
  ['postgres://a', ['a:5432']],
  ['postgresql://a:6543/db', ['a:6543']],
  ['postgres://u:p@a,b:1,c/db', ['a:5432', 'b:1', 'c:5432']],
  ['postgres://[::1]:6543,[fe80::1]/db', ['::1:6543', 'fe80::1:5432']],
  ['postgres://', ['localhost:5432']],
  ['postgres:///db?host=/var/run/postgresql', ['/var/run/postgresql:5432']],
  ['postgres://%2Fvar%2Frun/db', ['/var/run:5432']],
  ['postgres:///db?host=a,b&port=1,2', ['a:1', 'b:2']],
  ['postgres:///db?host=a,b&port=7', ['a:7', 'b:7']],
  ['postgres://a:1/db?port=2', ['a:2']],
  ['postgres://a:1/db?host=b', ['b:1']],
  ['postgres://a:1,b:2/db?host=c,d', ['c:1', 'd:2']],
  ['postgres://:1/db?host=/var/run/postgresql', ['/var/run/postgresql:1']],
  ['postgres:///db?host=::1&port=2', ['::1:2']]
]
for (const [url, wanted] of hosts) {
  t.test(url, async (t) => {
    t.same(
      parsePostgresUrl(url).hosts.map(({ host, port }) => `${host}:${port}`),
      wanted
    )
  })
}

t.test('reads user, hosts and options', async (t) => {
  const url =
    'postgres://us%40er:p%3Ass@a/d%20b?max=7&connect_timeout=2&prepare=false&application_name=x&lock_timeout=9'
  t.match(parsePostgresUrl(url), {
    login: { user: 'us@er', password: 'p:ss', database: 'd b' },
    poolSize: 7,
    connectTimeout: 2,
    statementTimeout: 4_000,
    prepare: false,
    tls: false,
    settings: { application_name: 'x', lock_timeout: '9', synchronous_commit: 'on' }
  })
  const { settings, ...rest } = parsePostgresUrl(
    'postgres://a?target_session_attrs=read-write&channel_binding=prefer&keepalives=1'
  )
  t.same(
    settings,
    { application_name: 'plant-store', synchronous_commit: 'on' },
    'only settings reach the server'
  )
  t.same(rest.login, {})
  t.equal(rest.prepare, true)
  t.match(
    parsePostgresUrl('postgres://u:p@ss@a'),
    { login: { password: 'p@ss' }, hosts: [{ host: 'a' }] },
    'an @ may stand as it is'
  )
  t.match(parsePostgresUrl('postgres://a?user=u&password=p&dbname=d'), {
    login: { user: 'u', password: 'p', database: 'd' }
  })
  const replaced = parsePostgresUrl('postgres://a:b@h/c?user=u&password=p&dbname=d')
  t.same(replaced.login, { user: 'u', password: 'p', database: 'd' }, 'a parameter replaces what precedes it')
  t.notHas(replaced.settings, { password: 'p' }, 'the password is no setting, which the server would log')
  t.equal(
    parsePostgresUrl('postgres://a?synchronous_commit=remote_apply').settings['synchronous_commit'],
    'remote_apply'
  )
})

const refused: [url: string, reason: RegExp][] = [
  ['postgres:u:secret@a', /is not a URL/],
  ['postgres://u:secret%zz@a', /a % that begins no escape/],
  ['postgres://u:secret@a:b:c/db', /a host that is not HOST:PORT/],
  ['postgres://u:secret@a:99999/db', /a port that is none/],
  ['postgres://u:secret@a,b,c/db?port=1,2', /another number of ports than of hosts/],
  ['postgres://u:secret@a?max=0', /from 1 to 999999 as max/],
  ['postgres://u:secret@a?connect_timeout=soon', /as connect_timeout/],
  ['postgres://u:secret@a?statement_timeout=1s', /as statement_timeout/],
  ['postgres://u:secret@a?target_session_attrs=standby', /on a primary only/],
  ['postgres://u:secret@a?synchronous_commit=off', /could be lost/],
  ['postgres://u:secret@a?synchronous_commit=local', /could be lost/],
  ['postgres://u:secret@a?Synchronous_Commit=remote_write', /could be lost/],
  ['postgres://u:secret@a?max=1&max=2', /has max twice/],
  ['postgres://u:secret@a?max=1&MAX=2', /has max twice/]
]
for (const [url, reason] of refused) {
  t.test(`refuses ${url}`, async (t) => {
    const error = t.throws(() => parsePostgresUrl(url), { message: reason }) as Error
    t.ok(error instanceof StoreOpenError && !error.message.includes('secret'), 'without the password')
  })
}

const login = { host: 'db', port: 5432, database: 'plants', user: 'gardener' }

const cases: readonly (readonly [what: string, text: string, want: string | undefined])[] = [
  ['all fields', 'db:5432:plants:gardener:secret', 'secret'],
  ['wildcards', '*:*:*:*:secret\n', 'secret'],
  ['the first line that fits', 'other:*:*:*:no\r\ndb:*:*:*:yes\r\n*:*:*:*:no', 'yes'],
  ['escapes', String.raw`*:*:*:*:a\:b\\c`, String.raw`a:b\c`],
  ['an empty password', '*:*:*:*:', ''],
  ['a comment', '#*:*:*:*:secret', undefined],
  ['another user', '*:*:*:eve:secret', undefined],
  ['a line without a password', '*:*:*:*', undefined],
  ['nothing', '', undefined]
]

for (const [what, text, want] of cases) {
  test(`a password file with ${what}`, async (t) => {
    t.equal(passwordIn(text, login), want)
  })
}

test('passfile in the URL gives the password that the URL does not hold', async (t) => {
  const passfile = `${t.testdir({ pgpass: 'db:5432:plants:gardener:secret\n' })}/pgpass`
  const url = 'postgres://gardener@db/plants?passfile='
  t.strictSame(parsePostgresUrl(url + passfile).login, {
    user: 'gardener',
    password: 'secret',
    database: 'plants'
  })
  t.equal(parsePostgresUrl(`postgres://gardener:own@db/plants?passfile=${passfile}`).login.password, 'own')
  t.throws(() => parsePostgresUrl(`postgres://eve@db/plants?passfile=${passfile}`), StoreOpenError)
  t.throws(() => parsePostgresUrl(`${url}/nowhere`), /cannot be read/)
})
