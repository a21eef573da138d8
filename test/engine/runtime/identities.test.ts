/** Equal JSON values have equal numbers (JSON Schema Core 2020-12, section 4.2.2). */
import t from 'tap'
import { Identities } from '../../../src/engine/runtime/identities.ts'

const make = () => new Identities((value) => JSON.stringify(value) ?? 'undefined')
const of = (identities: Identities, value: unknown) => identities.of(value)

t.test('values are equal whatever the order of their members', async (t) => {
  const identities = make()
  const number = of(identities, { a: [1, { b: 2 }], c: null })
  t.equal(of(identities, { c: null, a: [1, { b: 2 }] }), number)
  for (const other of [{ a: [1, { b: 2 }] }, { a: [{ b: 2 }, 1], c: null }, [], {}, 'x', null])
    t.not(of(identities, other), number, JSON.stringify(other))
  t.not(of(identities, ['a', 'b']), of(identities, ['a,b']))
  t.not(of(identities, {}), of(identities, []))
})

t.test('a value inside of another that is known is not read again', async (t) => {
  let texts = 0
  const identities = new Identities((value) => {
    texts++
    return String(value)
  })
  const inner = [1, 2, 3]
  of(identities, inner)
  of(identities, [inner, inner])
  t.equal(texts, 3)
})

t.test('nesting of a hundred thousand levels does not end the stack', async (t) => {
  const nested = () => {
    let value: unknown[] = []
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    return value
  }
  const identities = make()
  t.equal(of(identities, nested()), of(identities, nested()))
})
