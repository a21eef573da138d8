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
  const taken = { identifiers: ['get', 'get2'], files: ['Get', 'get-2'] }
  t.match(stub(operation('get'), { taken }), { name: 'get3', file: 'get-3.ts' }, 'whatever its case')
  const comment = stub(operation('get', { path: '/a/*/b' })).text
  t.ok(comment.startsWith('/** GET /a/*\\/b */\n'), 'a path cannot end the comment')
})

t.test('where handlers lie in folders, so does a stub', async (t) => {
  const made = (more: Partial<Operation>, module: string) =>
    stub(operation('get', more), { passed: { name: 'store', type: 'Store', module }, isFlat: false })
  for (const [more, file] of [
    [{ tags: ['Own Things', 'others'] }, 'own-things/get.ts'],
    [{ path: '/{id}/parts' }, 'parts/get.ts'],
    [{ path: '/{id}', tags: [] }, 'operations/get.ts']
  ] as const)
    t.equal(made(more, 'store').file, file)
  for (const [module, from] of [
    ['../store/store.ts', '../../store/store.ts'],
    ['./store.ts', '../store.ts'],
    ['store', 'store']
  ] as const) {
    const { text } = made({ path: '/a' }, module)
    t.match(text, "from '../../../generated/types.ts'")
    t.match(text, `import type { Store } from '${from}'`)
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
    stubs.map(({ name, file }) => `${name} ${file}`),
    ['run a/run.ts', 'get2 a/get-2.ts']
  )
  t.match(wire(wiring, stubs), /get.ts'\nimport \{ run \} from '.\/a\/run.ts'\nexport.* get: get\(\),\n/s)
})

const paint = paintFor({}, {})
const returning = (text: string, parameter = '') =>
  `export function createHandlers(${parameter}) {\n  return ${text}\n}\n`
const wiring = `import { getX } from './get-x.ts'\n\n${returning('{\n    getX: getX()\n  } satisfies object')}`

/** Returns the report about operations, without the folder's path, and a function that reads a file of the folder. */
function prepare(
  t: Test,
  ids: readonly string[],
  files: Parameters<Test['testdir']>[0] = { 'handlers.ts': wiring }
) {
  const folder = t.testdir(files)
  const given = ids.map((id) => operation(id))
  const report = (write = false) =>
    handlerReport(given, { paint, write, folder }).map((line) =>
      line.replaceAll(`${relative('.', folder)}/`, '')
    )
  return { folder, report, read: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

const written = (file: string) =>
  `written: ${file}, and its line in handlers.ts; it answers 501 until you write it`
const kept = (file: string, id: string) =>
  `${file} is there and was left as it is; if it is the handler of ${id}, name it in handlers.ts`

/** Operations without the wiring of theirs, files of the handlers, and what is reported. */
const reports: readonly (readonly [
  ids: readonly string[],
  files: Readonly<Record<string, string>>,
  lines: readonly string[]
])[] = [
  [['getX'], { 'handlers.ts': wiring }, []],
  [['a'], {}, []],
  [['a'], { 'handlers.ts': 'export const handlers = {}' }, []],
  [['a'], { 'handlers.ts': returning('handlers') }, []],
  [
    ['get x'],
    { 'handlers.ts': returning("({ 'get x': getX(), [other]: getX() } as object)") },
    ['handler [other] is for no operation: remove it from handlers.ts']
  ],
  [['getY'], { 'handlers.ts': wiring }, ['rename handler getX to getY (GET /x) in handlers.ts']],
  [
    ['getY'],
    {
      'handlers.ts': returning('{ getX: getX(), getZ: getZ() }'),
      'get-x.ts': "/** GET /x */\nexport const getX = (): Handlers['getX'] => all\n",
      'get-z.ts': "export const getZ = (): Handlers['getZ'] => all\n"
    },
    [
      'rename handler getX to getY (GET /x) in handlers.ts and get-x.ts',
      'handler getZ is for no operation: remove it from handlers.ts'
    ]
  ]
]

t.test(
  'handlers are reported that have another name, or no operation; no stub is written beside them',
  async (t) => {
    for (const [ids, files, lines] of reports) {
      const { report } = prepare(t, ids, files)
      t.strictSame(report(), lines)
      t.strictSame(report(true), lines)
    }
  }
)

t.test(
  'the first missing handler is printed with its stub, ten are listed, and the rest is counted',
  async (t) => {
    const lines = prepare(t, ['getX', 'listXs']).report()
    t.strictSame(lines.slice(0, 2), [
      'operation listXs has no handler (GET /x)',
      '  it goes into list-xs.ts:'
    ])
    t.ok(lines.includes("    export function listXs(): Handlers['listXs'] {"))
    const hint = 'npm run generate -- --stubs writes this for you'
    t.strictSame(lines.slice(-5), ['  and into handlers.ts:', '', '    listXs: listXs()', '', hint])
    const ids = ['getX', ...Array.from({ length: 20 }, (_, index) => `op${index}`)]
    const listed = prepare(t, ids)
      .report()
      .filter((line) => /has no handler$|more$/.test(line))
    t.equal(listed.length, 10)
    t.strictSame(listed.slice(-2), ['operation op9 has no handler', '… and 10 more'])
  }
)

t.test('stubs are written and wired once', async (t) => {
  const { report, read } = prepare(t, ['getX', 'listXs', 'delete'])
  t.strictSame(report(true), [written('list-xs.ts'), written('delete.ts')])
  t.equal(
    read('handlers.ts'),
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
  t.strictSame(report(true), [])
  const empty = prepare(t, ['listXs', 'getX'], { 'handlers.ts': returning('{}') })
  empty.report(true)
  const imports = "import { getX } from './x/get-x.ts'\nimport { listXs } from './x/list-xs.ts'\n"
  t.equal(empty.read('handlers.ts'), imports + returning('{\n    listXs: listXs(),\n    getX: getX()\n  }'))
})

t.test('a stub gets what createHandlers gets, where its type is imported', async (t) => {
  const imports =
    "import type { Store } from '../store/store.ts'\nimport * as all from './all.ts'\nimport './start.ts'\n\n"
  for (const [parameter, isPassed] of [
    ['store: Store', true],
    ['{ db }: Store', false],
    ['store: Store, more: Store', false],
    ['store: Unknown', false],
    ['store', false]
  ] as const) {
    const { report, read } = prepare(t, ['listXs'], { 'handlers.ts': imports + returning('{}', parameter) })
    report(true)
    const [own, passed] = isPassed ? ['_store: Store', 'store'] : ['', '']
    t.match(read('x/list-xs.ts'), `export function listXs(${own}): Handlers['listXs'] {`, parameter)
    t.equal(read('x/list-xs.ts').includes("import type { Store } from '../../store/store.ts'\n"), isPassed)
    t.match(read('handlers.ts'), `    listXs: listXs(${passed})\n`, parameter)
  }
})

t.test(
  'operations whose ids differ only by case, punctuation or other letters get files of their own',
  async (t) => {
    const ids = ['植物', '花', 'get-it', 'getIt', 'GETIT', 'get.it', '__proto__']
    const { folder, report } = prepare(t, ids, { 'handlers.ts': returning('{}') })
    const lines = report(true)
    t.equal(lines.filter((line) => line.startsWith('written: ')).length, ids.length, lines.join('\n'))
    const files = readdirSync(join(folder, 'x'))
    t.strictSame(files, [...new Set(files.map((name) => name.toLowerCase()))])
    t.equal(files.length, ids.length)
    t.strictSame(report(true), [], 'each is known')
  }
)

t.test(
  'a file that exists is not overwritten, whatever its case, and a handler that exists is found',
  async (t) => {
    const mine = prepare(t, ['getX', 'listXs', 'items'], {
      ...{ 'handlers.ts': wiring, 'list-xs.ts': '// mine', 'Items.ts': '// mine' }
    })
    t.strictSame(mine.report(true), [kept('list-xs.ts', 'listXs'), kept('Items.ts', 'items')])
    t.equal(mine.read('list-xs.ts'), '// mine')
    t.equal(mine.read('handlers.ts'), wiring)
    const { report } = prepare(t, ['getX', 'listXs', 'other', 'third'], {
      'handlers.ts': `import './list-xs.ts'\n${wiring}`,
      'list-xs.ts': "export const listXs = (): Handlers['listXs'] => async () => ({ status: 204 })\n",
      further: {
        'many.ts': 'export const other = (async () => ({ status: 204 })) satisfies Handlers["other"]\n'
      },
      'third.ts': "export const fourth: Handlers['fourth'] = async () => ({ status: 204 })\n"
    })
    const found = [kept('list-xs.ts', 'listXs'), kept('further/many.ts', 'other')]
    t.match(report(), [...found, 'operation third has no handler', '  it goes into third-2.ts:'])
    t.strictSame(report(true), [...found, written('third-2.ts')])
  }
)
