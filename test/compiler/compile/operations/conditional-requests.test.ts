/** Conditions that a contract declares and no response of their operation answers. */
import { join } from 'node:path'
import t from 'tap'
import { compileInMemory } from '../../../../src/compiler/compiler.ts'

const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
const operation = (names: readonly string[], statuses: readonly string[]) => ({
  operationId: 'op',
  parameters: names.map(header),
  responses: Object.fromEntries(['200', ...statuses].map((status) => [status, { description: '' }]))
})

t.test('a condition without effect is named', async (t) => {
  const both = ['If-Match', 'if-none-match']
  const dates = ['If-Modified-Since', 'if-unmodified-since']
  const rows: readonly (readonly [
    method: string,
    names: readonly string[],
    statuses: readonly string[],
    effects: readonly string[]
  ])[] = [
    ['get', both, [], ['If-Match 412', 'if-none-match 304']],
    ['head', both, ['default'], ['if-none-match 304']],
    ['get', both, ['3XX', '4XX'], []],
    ['get', both, ['304', '412'], []],
    ['put', both, ['304'], ['If-Match 412', 'if-none-match 412']],
    ['delete', both, ['default'], []],
    ['get', ['X-Other', 'constructor'], [], []],
    ['get', dates, [], ['If-Modified-Since 304', 'if-unmodified-since 412']],
    ['head', dates, ['3XX', 'default'], []],
    ['put', dates, [], ['If-Modified-Since neither GET nor HEAD', 'if-unmodified-since 412']],
    ['post', dates, ['304', '4XX'], ['If-Modified-Since neither GET nor HEAD']]
  ]
  for (const [method, names, statuses, effects] of rows) {
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/x': {
          [method]: {
            ...operation(names, statuses),
            parameters: [...operation(names, statuses).parameters, { ...header('If-Match'), in: 'query' }]
          }
        }
      }
    }
    const folder = t.testdir({ 'openapi.json': JSON.stringify(document) })
    const { problems } = await compileInMemory(join(folder, 'openapi.json'))
    const found = problems.flatMap(({ severity, message }) => {
      const [, name, status] =
        /^(\S+) has no effect: the operation (?:declares no response|is) (.+)$/.exec(message) ?? []
      return name === undefined ? [] : [`${severity} ${name} ${status}`]
    })
    t.same(
      found.sort(),
      effects.map((effect) => `warning ${effect}`),
      `${method} ${statuses}`
    )
  }
})
