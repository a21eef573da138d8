import { test } from 'tap'
import { ipAddressOf } from '../../../src/service/http/ip-address.ts'

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
