/** Hosts that are this machine, and those that a foreign page has led here. */
import t from 'tap'
import { isOwnHost } from '../../../../src/engine/server/security/local-host.ts'

const rows: readonly (readonly [host: string | undefined, own: readonly string[], isOwn: boolean])[] = [
  [undefined, [], true],
  ['localhost', [], true],
  ['app.localhost:3000', [], true],
  ['127.0.0.1:3000', [], true],
  ['[::1]:3000', [], true],
  ['192.0.2.7', [], true],
  ['a.example', [], false],
  ['a.example:3000', ['a.example'], true],
  ['localhost.a.example', [], false],
  ['a b', [], false],
  ['', [], false]
]
for (const [host, own, isOwn] of rows)
  t.test(`${host} ${isOwn ? 'is' : 'is not'} own beside [${own}]`, async (t) =>
    t.equal(isOwnHost(host, own), isOwn)
  )
