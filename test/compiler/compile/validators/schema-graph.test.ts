/** References between definitions decide what their validators cache and collect. */
import t from 'tap'
import {
  memoisedNames,
  oftenCalled,
  trackedNames
} from '../../../../src/compiler/compile/validators/schema-graph.ts'
import { definitionsOf, to } from './definitions-of.ts'

const chain = (length: number, times: number) =>
  new Map(
    Array.from({ length }, (_, index) => [
      `S${index}`,
      index === length - 1 ? [] : Array<string>(times).fill(`S${index + 1}`)
    ])
  )

t.test('definitions that are called often', async (t) => {
  t.equal(oftenCalled(chain(500, 1)).size, 0)
  t.equal(oftenCalled(chain(9, 2)).size, 0)
  t.strictSame([...oftenCalled(chain(28, 2))], ['S10', 'S20'])
  const fan = new Map<string, string[]>([['Id', []]])
  for (let index = 0; index < 5_000; index++) fan.set(`P${index}`, ['Id'])
  t.equal(oftenCalled(fan).size, 0, 'references from many definitions are not many calls')
  t.equal(
    oftenCalled(
      new Map([
        ['A', ['B']],
        ['B', ['A', 'C', 'C']],
        ['C', []]
      ])
    ).size,
    0,
    'cycles are not counted'
  )
})

t.test('a definition on a cycle caches its verdicts', async (t) => {
  const definitions = {
    A: { items: to('B') },
    B: { anyOf: [to('A'), to('C')] },
    C: { not: to('D') },
    D: true
  }
  t.strictSame([...memoisedNames(definitionsOf(definitions).references)], ['A', 'B'])
})

t.test('unevaluated members need what the definitions in place have evaluated', async (t) => {
  const definitions = {
    A: { unevaluatedProperties: false, allOf: [to('B')], properties: { a: to('E') }, not: to('E') },
    B: { if: to('C'), dependentSchemas: { b: to('D') } },
    C: true,
    D: false,
    E: { anyOf: [to('F')] },
    F: { items: { unevaluatedItems: false, ...to('G') } },
    G: to('A')
  }
  t.strictSame([...trackedNames(definitionsOf(definitions).references)].sort(), ['A', 'B', 'C', 'D', 'G'])
})
