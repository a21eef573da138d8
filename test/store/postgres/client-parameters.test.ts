/** Parameters of libpq that this client does not implement are refused by name, never ignored in silence. */
import t from 'tap'
import { parsePostgresUrl, sessionParameters } from '../../../src/store/postgres/url.ts'

const refused = [
  'require_auth=scram-sha-256',
  'channel_binding=require',
  'gssencmode=require',
  'sslcertmode=require',
  'client_encoding=LATIN1',
  'max_protocol_version=4.0',
  'requirepeer=postgres',
  'requiressl=1',
  'krbsrvname=postgres',
  'gsslib=gssapi',
  'gssdelegation=1',
  'service=plants',
  'servicefile=/etc/pg_service.conf',
  'hostaddr=127.0.0.1',
  'replication=true',
  'sslcrldir=/etc/crl',
  'sslkeylogfile=/tmp/keys',
  'ssl_mode=require',
  'ssl=1',
  'ssl=false',
  'scram_client_key=a',
  'oauth_issuer=a',
  'REQUIRE_AUTH=password'
]
for (const parameter of refused) {
  t.test(`${parameter} is refused`, async (t) => {
    const [name = ''] = parameter.toLowerCase().split('=')
    t.throws(() => parsePostgresUrl(`postgres://u:secret@a?sslmode=require&${parameter}`), {
      name: 'StoreOpenError',
      message: RegExp(`^DATABASE_URL has ${name}[=,]`)
    })
  })
}

t.test('values that ask for what is done anyway are accepted, and settings are passed on', async (t) => {
  const parameters = new URLSearchParams(
    'channel_binding=prefer&gssencmode=disable&sslcertmode=allow&client_encoding=UTF8&sslcompression=0' +
      '&max_protocol_version=latest&keepalives=1&load_balance_hosts=random&lock_timeout=9&options=-c x.y=1'
  )
  t.same(sessionParameters(parameters), { lock_timeout: '9', options: '-c x.y=1' })
})
