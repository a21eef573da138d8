/** Objects of decoded parameters; exchanges/parameters.yaml has the texts. */
import t from 'tap'
import type { ParameterSpec } from '../../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../../src/engine/server/parameters/decode.ts'
import { noParameters } from '../../../../src/engine/server/parameters/decoded.ts'

const integers: ParameterSpec['shape'] = { types: [], items: { types: ['integer'] } }
const spec = (where: 'query' | 'path' | 'header' | 'cookie', more: object): ParameterSpec => ({
  ...{ name: 'p', in: where, key: 'p', required: false, style: where === 'query' ? 'form' : 'simple' },
  ...{ explode: true, shape: { types: ['integer'] }, ...more }
})
const source = (query: string) => ({ path: {}, query, headers: {}, cookie: undefined })

t.test('an absent parameter has its default, a new copy for each request', async (t) => {
  const list = spec('query', { shape: integers, default: [1] })
  const { query } = decodeParameters([list], source(''))
  t.same(query, { p: [1] })
  t.not(query['p'], list.default)
  const others = [spec('path', { default: 7 }), spec('header', { default: 7n }), spec('cookie', {})]
  const { params, headers, cookies, problems } = decodeParameters(others, source(''))
  t.same([params, headers, cookies, problems], [{ p: 7 }, { p: 7n }, {}, []])
  const wrong = spec('query', { default: () => 1 })
  t.throws(() => decodeParameters([wrong], source('')), /could not be cloned/)
})

t.test('several lines of a header are one list, and a malformed name in a path is a problem', async (t) => {
  const lines = { ...source(''), headers: { p: ['1', '2, 3'] }, path: { p: ';%=5' } }
  const specs = [spec('header', { shape: integers }), spec('path', { style: 'matrix' })]
  const { headers, problems } = decodeParameters(specs, lines)
  t.same(headers, { p: [1, 2, 3] })
  t.match(problems, [{ place: 'params/p', message: 'has malformed percent-encoding' }])
})

t.test('names of the prototype are names like any other', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const rest = spec('query', { key: 'rest', shape: { types: [], additional: { types: ['string'] } } })
    const specs = [
      rest,
      ...(['query', 'path', 'header'] as const).map((where) => spec(where, { name, key: name }))
    ]
    const { query, params, headers, problems } = decodeParameters(specs, source(''))
    t.strictSame([query, params, headers].map(Object.keys), [[], [], []], name)
    t.strictSame(problems, [])
    const given = decodeParameters(specs, source(`${name}=1&valueOf=2`))
    t.strictSame(Object.keys(given.query).sort(), [name, 'rest'].sort())
  }
})

t.test('operations without parameters share objects that a handler cannot change', async (t) => {
  for (const members of Object.values(noParameters)) {
    t.throws(() => Object.assign(members, { added: true }), TypeError)
    t.same([Reflect.ownKeys(members), members['toString']], [[], undefined])
  }
})
