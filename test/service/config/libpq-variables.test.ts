import t from 'tap'
import { readConfig, withLibpqVariables } from '../../../src/service/config/config.ts'

const cases: [what: string, url: string, environment: Record<string, string>, wanted: string][] = [
  ['none', 'postgres://a', { PGUSER: 'x', PGSSLMODE: '' }, 'postgres://a'],
  ['one', 'postgres://a', { PGSSLMODE: 'verify-full' }, 'postgres://a?sslmode=verify-full'],
  [
    'several, beside parameters',
    'postgresql://a/b?max=1',
    { PGSSLROOTCERT: '/a b', PGSSLMODE: 'require', PGREQUIREAUTH: 'none' },
    'postgresql://a/b?max=1&sslmode=require&sslrootcert=%2Fa%20b&require_auth=none'
  ],
  [
    'one that the URL has',
    'postgres://a?sslMode=disable',
    { PGSSLMODE: 'require' },
    'postgres://a?sslMode=disable'
  ],
  ['a mode beside that of JDBC', 'postgres://a?ssl=true', { PGSSLMODE: 'disable' }, 'postgres://a?ssl=true'],
  ['another kind of store', 'sqlite:a', { PGSSLMODE: 'require' }, 'sqlite:a']
]
for (const [what, url, environment, wanted] of cases) {
  t.test(`variables of libpq: ${what}`, async (t) => t.equal(withLibpqVariables(url, environment), wanted))
}

t.test('the configuration has the URL with the variables', async (t) => {
  const environment = { DATABASE_URL: 'postgres://a', AUTH_TOKENS: 'x'.repeat(40), PGSSLMODE: 'require' }
  const project = { defaults: { DATABASE_URL: 'sqlite:a' }, tokens: true } as const
  t.match(readConfig(environment, project), { config: { databaseUrl: 'postgres://a?sslmode=require' } })
})
