import t from 'tap'
import { emptyObject, noParameters } from '../../../../src/engine/server/parameters/decoded.ts'

t.test('in an empty object every name is only a name', async (t) => {
  const object = emptyObject()
  t.equal(object['toString'], undefined)
  Reflect.set(object, '__proto__', 'text')
  t.same(Object.entries(object), [['__proto__', 'text']])
})

t.test('operations without parameters share objects that a handler cannot change', async (t) => {
  for (const members of Object.values(noParameters)) {
    t.throws(() => Object.assign(members, { added: true }), TypeError)
    t.same(Reflect.ownKeys(members), [])
  }
})
