import { test } from 'tap'
import { ipAddressOf, principalId } from '../../../src/service/credentials/principal.ts'

const getter = Object.defineProperty({}, 'id', {
  get: () => {
    throw new Error('secret')
  }
})
const long = 'x'.repeat(20_000)

test('the id of a principal is a text or a number; whatever else a project returns has none', async (t) => {
  const rows: readonly [unknown, string | undefined][] = [
    [{ id: 'token:1' }, 'token:1'],
    [{ id: 7 }, '7'],
    [{ id: 7n }, undefined],
    [{ id: { a: 1 } }, undefined],
    [{}, undefined],
    ['the credential', undefined],
    [undefined, undefined],
    [getter, undefined]
  ]
  for (const [principal, id] of rows) t.equal(principalId(principal), id)
})

test('a long id is shortened, and stays distinct', async (t) => {
  const ids = [`${long}a`, `${long}b`].map((id) => String(principalId({ id })))
  for (const id of ids) t.ok(id.length < 257)
  t.not(ids[0], ids[1])
})

const rows: readonly [unknown, string | undefined][] = [
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7:443', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
  [`fe80::1%${'x'.repeat(14_000)}`, 'fe80::1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
  ['203.0.113.7%eth0', '203.0.113.7'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
  ['256.1.1.1', undefined],
  ['1.2.3', undefined],
  ['203.0.113.7 admin', undefined],
  ['203.0.113.7\n{"level":60}', undefined],
  ['\u001b[2J', undefined],
  ['[]', undefined],
  ['x'.repeat(14_000), undefined],
  ['1'.repeat(14_000), undefined],
  [undefined, undefined],
  [7, undefined]
]

for (const [text, address] of rows) {
  test(`the address in ${JSON.stringify(text)?.slice(0, 40)} is ${address}`, async (t) => {
    t.equal(ipAddressOf(text), address)
  })
}
