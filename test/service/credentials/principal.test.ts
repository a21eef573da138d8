import { test } from 'tap'
import { principalId } from '../../../src/service/credentials/principal.ts'

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
