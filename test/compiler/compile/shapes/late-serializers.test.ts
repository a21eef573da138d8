/** Serializers of this process: no property is read of a schema until a value of it is written. */
import t from 'tap'
import { Serializers } from '../../../../src/compiler/compile/shapes/serializers.ts'
import { anyValue, make, type Schema } from '../../../../src/contract/contract.ts'

const { origin } = anyValue
const secret = make({ writeOnly: true }, { origin })
const thing = make({ properties: new Map([['secret', secret]]) }, { origin })

t.test('a schema is read at the first value, and not again', async (t) => {
  let reads = 0
  const watched = new Proxy<Schema>(thing, {
    get(schema, key) {
      if (key === 'properties') reads++
      return Reflect.get(schema, key)
    }
  })
  const serializers = new Serializers()
  const name = serializers.add(watched, 'first')
  t.equal(serializers.add(watched, 'second'), name)
  const write = serializers.functions()[name]
  t.equal(reads, 0)
  t.equal(write?.({ secret: 1, id: 2n ** 60n }), `{"id":${2n ** 60n}}`)
  const first = reads
  t.ok(first > 0)
  t.equal(write?.({ other: true }), '{"other":true}')
  t.equal(reads, first)
})
