/** TLS by the table of libpq, with a real PostgreSQL. */
import { createPrivateKey } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openStore } from '../../../src/open-store.ts'
import { parsePostgresUrl } from '../../../src/store/postgres/url.ts'
import { Cluster } from './cluster.ts'

t.setTimeout(900_000)

const folder = join(import.meta.dirname, 'tls')
const at = (name: string) => join(folder, name)
const text = (name: string) => readFileSync(at(name), 'utf8')
const ca = `sslrootcert=${at('ca.pem')}`

/** Gives this process an empty home directory, so that no file of libpq is found in the real one. */
function home(t: Test, files: Record<string, string> = {}): void {
  const path = t.testdir()
  mkdirSync(join(path, '.postgresql'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, '.postgresql', name), content)
  const before = process.env['HOME']
  process.env['HOME'] = path
  t.teardown(() => Object.assign(process.env, { HOME: before }))
}
home(t)

const versions = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' }
const modes: [parameters: string, tls: unknown][] = [
  ['', false],
  ['sslmode=disable', false],
  [`sslmode=disable&${ca}`, false],
  ['sslmode=allow', 'prefer'],
  ['sslmode=prefer', 'prefer'],
  ['sslmode=require', { rejectUnauthorized: false, ...versions }],
  ['ssl=true', { rejectUnauthorized: false }],
  ['SSLMODE=require', { rejectUnauthorized: false }],
  [`sslmode=require&${ca}`, { ca: /^-----BEGIN/, checkServerIdentity: Function }],
  [`sslmode=verify-ca&${ca}`, { ca: /^-----BEGIN/, checkServerIdentity: Function }],
  [`sslmode=verify-full&${ca}`, { ca: /^-----BEGIN/, checkServerIdentity: undefined }],
  ['sslmode=verify-full', { ca: undefined, rejectUnauthorized: undefined, checkServerIdentity: undefined }],
  ['sslrootcert=system', { ca: undefined, rejectUnauthorized: undefined, checkServerIdentity: undefined }],
  [
    'sslmode=verify-full&sslrootcert=system',
    { rejectUnauthorized: undefined, checkServerIdentity: undefined }
  ],
  [`sslrootcert=system&sslcrl=${at('none.crl')}`, { crl: /X509 CRL/ }],
  [`sslmode=verify-full&${ca}&sslsni=0`, { servername: '' }],
  [`sslmode=verify-full&${ca}&sslsni=1`, { servername: undefined }],
  [`sslmode=require&ssl_max_protocol_version=TLSv1.2`, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }],
  [
    `sslmode=verify-full&sslcert=${at('server.pem')}&sslkey=${at('server.key')}`,
    { cert: /CERTIFICATE/, key: /PRIVATE KEY/ }
  ]
]

t.test('sslmode and the options beside it are TLS as in libpq', async (t) => {
  for (const [parameters, wanted] of modes) {
    const { tls } = parsePostgresUrl(`postgres://a?${parameters}`)
    if (typeof wanted === 'object') t.match(tls, wanted, parameters)
    else t.equal(tls, wanted, parameters)
  }
})

const refused: [parameters: string, reason: RegExp][] = [
  ['sslmode=maybe', /unknown sslmode, maybe/],
  ['ssl=true&sslmode=verify-full', /has both ssl and sslmode/],
  ['sslmode=verify-full&sslrootcert=/nowhere', /cannot be read, \/nowhere/],
  ['sslmode=verify-ca', /verify-ca without sslrootcert=FILE/],
  [ca, /has sslrootcert without sslmode/],
  [`sslcert=${at('server.pem')}`, /has sslcert without sslmode/],
  ['ssl_min_protocol_version=TLSv1.3', /has ssl_min_protocol_version without sslmode/],
  [`sslmode=prefer&${ca}`, /has sslrootcert, which requires sslmode=require/],
  ['sslmode=allow&sslnegotiation=direct', /has sslnegotiation, which requires sslmode=require/],
  ['sslmode=require&sslrootcert=system', /has sslmode=require, by which any public certificate would do/],
  ['sslmode=verify-ca&sslrootcert=system', /has sslmode=verify-ca, by which any public certificate would do/],
  ['sslmode=prefer&sslrootcert=system', /requires sslmode=require/],
  ['sslmode=disable&sslrootcert=system', /sslrootcert=system or sslnegotiation=direct, which require TLS/],
  ['sslmode=disable&sslnegotiation=direct', /sslrootcert=system or sslnegotiation=direct, which require TLS/],
  ['sslmode=require&sslnegotiation=maybe', /postgres or direct/],
  ['sslmode=require&sslsni=2', /0 or 1 as sslsni/],
  ['sslmode=require&ssl_min_protocol_version=SSLv3', /in the order TLSv1, TLSv1.1, TLSv1.2, TLSv1.3/],
  ['sslmode=require&ssl_max_protocol_version=TLSv1.1', /in the order/],
  [`sslmode=require&sslcert=${at('server.pem')}`, /one of sslcert and sslkey without the other/],
  [`sslmode=require&sslkey=${at('server.key')}`, /one of sslcert and sslkey without the other/],
  [`sslmode=require&sslcrl=${at('none.crl')}`, /has sslcrl without sslrootcert/],
  [`sslmode=require&sslcert=${at('ca.pem')}&sslkey=${at('server.key')}`, /cannot be used: .*mismatch/]
]

t.test('what would be weaker than in libpq is refused', async (t) => {
  for (const [parameters, message] of refused) {
    const parsed = () => parsePostgresUrl(`postgres://u:secret@a?${parameters}`)
    t.throws(parsed, { name: 'StoreOpenError', message }, parameters)
  }
})

t.test('root.crt in the home directory makes require verify, as in libpq', async (t) => {
  home(t, { 'root.crt': text('ca.pem'), 'root.crl': text('none.crl') })
  const wanted = { ca: /^-----BEGIN/, crl: /X509 CRL/, rejectUnauthorized: undefined }
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    t.match(parsePostgresUrl(`postgres://a?sslmode=${mode}`).tls, wanted, mode)
})

t.test('connections are as secure as the URL says', async (t) => {
  const cluster = await Cluster.create()
  t.teardown(() => cluster.remove())
  for (const name of ['server.pem', 'server.key', 'revoked.pem', 'revoked.key', 'ca.pem'])
    cluster.file(name, text(name))
  const serve = async (name: string) => {
    const files = { ssl_cert_file: `${name}.pem`, ssl_key_file: `${name}.key`, ssl_ca_file: 'ca.pem' }
    cluster.configure({ ssl: 'on', ...files })
    await cluster.query((sql) => sql`select pg_reload_conf()`)
  }
  await cluster.start()
  const url = await cluster.database('tls')
  await (await openStore(`${url}?sslmode=prefer`)).close()
  await serve('server')
  const locked = t.testdir({
    'locked.key': createPrivateKey(text('server.key')).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'gate'
    }) as string
  })
  const client = `sslcert=${at('server.pem')}&sslkey=${locked}/locked.key`
  const named = url.replace('127.0.0.1', 'localhost')
  const other = `sslrootcert=${at('revoking-ca.pem')}`
  const [pathname, password] = [new URL(url).pathname, new URL(url).password]
  const socket = `postgres://postgres:${password}@${pathname}?host=${cluster.folder}&port=${cluster.port}`
  const cases: [url: string, wanted: boolean | RegExp, server?: string][] = [
    [`${url}?sslmode=disable`, false],
    [`${url}?sslmode=prefer`, true],
    [`${url}?sslmode=allow`, true],
    [`${url}?sslmode=require`, true],
    [`${named}?sslmode=verify-ca&${ca}`, true],
    [`${named}?sslmode=require&${ca}`, true],
    [`${named}?sslmode=verify-full&${ca}`, /ERR_TLS_CERT_ALTNAME_INVALID/],
    [`${url}?sslmode=verify-full`, /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY/],
    [`${url}?sslmode=verify-ca&sslrootcert=${at('other-ca.pem')}`, /UNABLE_TO_VERIFY|SELF_SIGNED_CERT/],
    [`${url}?sslmode=require&sslnegotiation=direct`, true],
    [`${url}?sslmode=verify-full&${ca}&sslnegotiation=direct`, true],
    [`${url}?sslmode=require&ssl_min_protocol_version=TLSv1.3`, true],
    [`${url}?sslmode=verify-full&${ca}&sslsni=0`, true],
    [`${named}?sslmode=verify-full&${ca}&sslsni=0`, /ERR_TLS_CERT_ALTNAME_INVALID/],
    [`${url}?sslrootcert=system`, /SELF_SIGNED_CERT_IN_CHAIN/],
    [`${url}?sslmode=require&${other}`, /SELF_SIGNED_CERT_IN_CHAIN/],
    [`${url}?sslmode=verify-full&${ca}&${client}&sslpassword=gate`, true],
    [`${url}?sslmode=verify-full&${ca}&${client}&sslpassword=wrong`, /cannot be used/],
    [`${socket}&sslmode=verify-full&${ca}`, false],
    [`${url}?sslmode=verify-full&${other}&sslcrl=${at('none.crl')}`, true, 'revoked'],
    [`${url}?sslmode=verify-full&${other}&sslcrl=${at('revoked.crl')}`, /CERT_REVOKED/, 'revoked'],
    [`${url}?sslmode=require&${other}&sslcrl=${at('revoked.crl')}`, /CERT_REVOKED/, 'revoked']
  ]
  for (const [each, wanted, server] of cases) {
    if (server !== undefined) await serve(server)
    const what = each.replace(/^[^?]*/, '').replaceAll(`${folder}/`, '')
    const store = await openStore(`${each}&application_name=tls`).catch((error: Error) => error.message)
    if (typeof store === 'string') {
      t.match(store, wanted, what)
      continue
    }
    const [row] = await cluster.query(
      (sql) => sql<{ ssl: boolean }[]>`
        select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'tls'`
    )
    t.equal(row?.ssl, wanted, what)
    await store.close()
  }
})
