/** Reports about missing handlers, and the stubs that `--stubs` writes for them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { paintFor } from '../../../../src/cli/format.ts'
import {
  handlerReport,
  readWiring,
  stubsFor,
  wire
} from '../../../../src/compiler/command/generate/handler-stub.ts'
import type { Operation } from '../../../../src/engine/model/compiled-contract.ts'

const operation = (operationId: string, more: Partial<Operation> = {}) =>
  ({ operationId, method: 'GET', path: '/x', ...more }) as Operation

/** @param wiring what other handlers have taken, and where they lie */
function stub(given: Operation, wiring: Partial<Parameters<typeof stubsFor>[1]> = {}) {
  const taken = { identifiers: [], files: [] }
  const [made] = stubsFor([{ operation: given, responseType: 'R' }], {
    ...{ taken, passed: undefined, isFlat: true },
    ...wiring
  })
  if (made === undefined) throw new Error('no stub')
  return made
}

t.test('a stub has an identifier, a key and a file of its own', async (t) => {
  for (const [operationId, file, name, key] of [
    ['plants.list', 'plants-list.ts', 'plantsList', "'plants.list'"],
    ['2nd', '2nd.ts', 'operation2nd', "'2nd'"],
    ['🌱', 'operation.ts', 'operation', "'🌱'"],
    ['delete', 'delete.ts', 'deleteOperation', 'delete'],
    ['__proto__', 'proto.ts', 'proto', "['__proto__']"],
    ["it's", 'it-s.ts', 'itS', '"it\'s"']
  ] as const) {
    const made = stub(operation(operationId))
    t.match(made, { file, name, property: `${key}: ${name}()` })
    t.ok(made.text.includes(`export function ${name}(): Handlers[`))
  }
  const named = (...identifiers: string[]) =>
    stub(operation('get'), { taken: { identifiers, files: [] } }).name
  t.equal(named('get', 'get2'), 'get3', 'a name that the wiring uses')
  const fileOf = (id: string, ...files: string[]) =>
    stub(operation(id), { taken: { identifiers: [], files } }).file
  t.equal(fileOf('植物', 'operation'), 'operation-2.ts', 'a file of another handler')
  t.equal(fileOf('get-plant', 'Get-Plant', 'get-plant-2'), 'get-plant-3.ts', 'whatever its case')
  const comment = stub(operation('get', { path: '/a/*/b' })).text
  t.ok(comment.startsWith('/** GET /a/*\\/b */\n'), 'a path cannot end the comment')
})

t.test('where handlers lie in folders, so does a stub', async (t) => {
  for (const [more, file] of [
    [{ tags: ['Own Things', 'others'] }, 'own-things/get.ts'],
    [{ path: '/{id}/parts' }, 'parts/get.ts'],
    [{ path: '/{id}', tags: [] }, 'operations/get.ts']
  ] as const) {
    const made = (module: string) =>
      stub(operation('get', more), { passed: { name: 'store', type: 'Store', module }, isFlat: false })
    t.equal(made('../store/store.ts').file, file)
    t.match(made('../store/store.ts').text, "from '../../../generated/types.ts'")
    for (const [module, from] of [
      ['../store/store.ts', '../../store/store.ts'],
      ['./store.ts', '../store.ts'],
      ['store', 'store']
    ] as const)
      t.match(made(module).text, `import type { Store } from '${from}'`)
  }
})

t.test('only code takes names: a comment of the wiring names none', async (t) => {
  const wiring = readWiring(
    "/** Run it to get all. */\nimport { get } from './a/get.ts'\nexport function createHandlers() {\n  return { get: get() }\n}\n"
  )
  if (wiring === undefined) throw new Error('the wiring is not read')
  const missing = ['run', 'get'].map((id) => ({
    operation: operation(id, { path: '/a' }),
    responseType: 'R'
  }))
  const stubs = stubsFor(missing, wiring)
  t.strictSame(
    stubs.map(({ name, file }) => [name, file]),
    [
      ['run', 'a/run.ts'],
      ['get2', 'a/get-2.ts']
    ]
  )
  t.match(wire(wiring, stubs), /get.ts'\nimport \{ run \} from '.\/a\/run.ts'\nexport.* get: get\(\),\n/s)
})

const paint = paintFor({}, {})
const wiring = `import { getX } from './get-x.ts'

export function createHandlers() {
  return {
    getX: getX()
  } satisfies object
}
`

/** Returns the report about the operations, without the folder's path. */
function report(
  t: Test,
  ids: readonly string[],
  files: Parameters<Test['testdir']>[0] = { 'handlers.ts': wiring }
) {
  const folder = t.testdir(files)
  return (write = false) =>
    handlerReport(
      ids.map((id) => operation(id)),
      { paint, write, folder }
    ).map((line) => line.replaceAll(`${relative('.', folder)}/`, ''))
}

t.test('nothing is reported when every operation has a handler, or no wiring can be read', async (t) => {
  t.strictSame(report(t, ['getX'])(), [])
  for (const files of [{}, { 'handlers.ts': 'export const handlers = {}' }])
    t.strictSame(report(t, ['a'], files)(), [])
})

t.test('a missing handler is printed with its stub and its line of the wiring', async (t) => {
  const lines = report(t, ['getX', 'listXs'])()
  t.strictSame(lines.slice(0, 2), ['operation listXs has no handler (GET /x)', '  it goes into list-xs.ts:'])
  t.ok(lines.includes("    export function listXs(): Handlers['listXs'] {"))
  t.strictSame(lines.slice(-5), [
    '  and into handlers.ts:',
    '',
    '    listXs: listXs()',
    '',
    'npm run generate -- --stubs writes this for you'
  ])
})

t.test('after the first stub ten missing handlers are listed and the rest is counted', async (t) => {
  const ids = ['getX', ...Array.from({ length: 20 }, (_, index) => `op${index}`)]
  const lines = report(t, ids)().filter((line) => /has no handler$|more$/.test(line))
  t.equal(lines.length, 10)
  t.strictSame(lines.slice(-2), ['operation op9 has no handler', '… and 10 more'])
})

t.test('the handler of an operation with another name is to be renamed', async (t) => {
  const lone = report(t, ['getY'])
  t.strictSame(lone(), ['rename handler getX to getY (GET /x) in handlers.ts'])
  t.strictSame(lone(true), lone(), 'no stub is written beside it')
  const returned = '{ getX: getX(), getZ: getZ() }'
  const files = {
    'handlers.ts': `export function createHandlers() {\n  return ${returned}\n}\n`,
    'get-x.ts': "/** GET /x */\nexport const getX = (): Handlers['getX'] => all\n",
    'get-z.ts': "export const getZ = (): Handlers['getZ'] => all\n"
  }
  t.strictSame(report(t, ['getY'], files)(), [
    'rename handler getX to getY (GET /x) in handlers.ts and get-x.ts',
    'handler getZ is for no operation: remove it from handlers.ts'
  ])
})

t.test('stubs are written and wired once', async (t) => {
  const run = report(t, ['getX', 'listXs', 'delete'])
  t.strictSame(run(true), [
    'written: list-xs.ts, and its line in handlers.ts; it answers 501 until you write it',
    'written: delete.ts, and its line in handlers.ts; it answers 501 until you write it'
  ])
  const folder = t.testdirName
  t.equal(
    readFileSync(join(folder, 'handlers.ts'), 'utf8'),
    `import { deleteOperation } from './delete.ts'
import { getX } from './get-x.ts'
import { listXs } from './list-xs.ts'

export function createHandlers() {
  return {
    getX: getX(),
    listXs: listXs(),
    delete: deleteOperation()
  } satisfies object
}
`
  )
})

t.test('a stub gets what createHandlers gets, where its type is imported', async (t) => {
  const given = (parameter: string) =>
    `import type { Store } from '../store/store.ts'
import * as all from './all.ts'
import './start.ts'

export function createHandlers(${parameter}) {
  return {}
}
`
  for (const [parameter, isPassed] of [
    ['store: Store', true],
    ['{ db }: Store', false],
    ['store: Store, more: Store', false],
    ['store: Unknown', false],
    ['store', false]
  ] as const) {
    report(t, ['listXs'], { 'handlers.ts': given(parameter) })(true)
    const read = (file: string) => readFileSync(join(t.testdirName, file), 'utf8')
    const [own, passed] = isPassed ? ['_store: Store', 'store'] : ['', '']
    t.match(read('x/list-xs.ts'), `export function listXs(${own}): Handlers['listXs'] {`, parameter)
    t.equal(read('x/list-xs.ts').includes("import type { Store } from '../../store/store.ts'\n"), isPassed)
    t.match(read('handlers.ts'), `    listXs: listXs(${passed})\n`, parameter)
  }
})

t.test('a file that exists is not overwritten, whatever its case', async (t) => {
  const run = report(t, ['getX', 'listXs', 'items'], {
    'handlers.ts': wiring,
    'list-xs.ts': '// mine',
    'Items.ts': '// mine'
  })
  t.strictSame(run(true), [
    'list-xs.ts is there and was left as it is; if it is the handler of listXs, name it in handlers.ts',
    'Items.ts is there and was left as it is; if it is the handler of items, name it in handlers.ts'
  ])
  t.equal(readFileSync(join(t.testdirName, 'list-xs.ts'), 'utf8'), '// mine')
  t.equal(readFileSync(join(t.testdirName, 'handlers.ts'), 'utf8'), wiring)
})

t.test('a wiring without handlers and imports is extended', async (t) => {
  report(t, ['listXs', 'getX'], { 'handlers.ts': 'export function createHandlers() {\n  return {}\n}\n' })(
    true
  )
  t.equal(
    readFileSync(join(t.testdirName, 'handlers.ts'), 'utf8'),
    `import { getX } from './x/get-x.ts'
import { listXs } from './x/list-xs.ts'
export function createHandlers() {
  return {
    listXs: listXs(),
    getX: getX()
  }
}
`
  )
})

t.test(
  'a wiring may name operations in quotes, and be cast; one that returns no object is left alone',
  async (t) => {
    const returned = (text: string) => ({
      'handlers.ts': `export function createHandlers() {\n  return ${text}\n}\n`
    })
    const cast = returned("({ 'get x': getX(), [other]: getX() } as object)")
    t.strictSame(report(t, ['get x'], cast)(), [
      'handler [other] is for no operation: remove it from handlers.ts'
    ])
    t.strictSame(report(t, ['get x'], returned('handlers'))(), [])
  }
)

t.test(
  'operations whose ids differ only by case, punctuation or other letters get files of their own',
  async (t) => {
    const ids = ['植物', '花', 'get-it', 'getIt', 'GETIT', 'get.it', '__proto__']
    const run = report(t, ids, { 'handlers.ts': 'export function createHandlers() {\n  return {}\n}\n' })
    const lines = run(true)
    t.equal(lines.filter((line) => line.startsWith('written: ')).length, ids.length, lines.join('\n'))
    const files = readdirSync(join(t.testdirName, 'x'))
    t.strictSame(files, [...new Set(files.map((name) => name.toLowerCase()))])
    t.equal(files.length, ids.length)
    t.strictSame(run(true), [], 'each is known')
  }
)

t.test('no stub is made for a handler that exists, wherever it is', async (t) => {
  const files = {
    'handlers.ts': `import './list-xs.ts'\n${wiring}`,
    'list-xs.ts': "export const listXs = (): Handlers['listXs'] => async () => ({ status: 204 })\n",
    further: {
      'many.ts': 'export const other = (async () => ({ status: 204 })) satisfies Handlers["other"]\n'
    },
    'third.ts': "export const fourth: Handlers['fourth'] = async () => ({ status: 204 })\n"
  }
  const run = report(t, ['getX', 'listXs', 'other', 'third'], files)
  const unlisted = (file: string, id: string) =>
    `${file} is there and was left as it is; if it is the handler of ${id}, name it in handlers.ts`
  const found = [unlisted('list-xs.ts', 'listXs'), unlisted('further/many.ts', 'other')]
  t.match(run(), [...found, 'operation third has no handler', '  it goes into third-2.ts:'])
  t.strictSame(run(true), [
    ...found,
    'written: third-2.ts, and its line in handlers.ts; it answers 501 until you write it'
  ])
})
