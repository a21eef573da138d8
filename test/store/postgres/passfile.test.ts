import { test } from 'tap'
import { parsePostgresUrl, passwordIn } from '../../../src/store/postgres/url.ts'
import { StoreOpenError } from '../../../src/store/store.ts'

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
