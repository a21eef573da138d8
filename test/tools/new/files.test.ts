/** The texts of a new project for contracts of every kind, without compiling one. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import t from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { paintFor } from '../../../src/cli/format.ts'
import { stubsFor } from '../../../src/compiler/command/generate/handler-stub.ts'
import { FailureError } from '../../../src/engine/errors.ts'
import {
  failuresText,
  handlerFiles,
  projectFiles,
  securityText
} from '../../../src/tools/new/command/files.ts'
import { outcomeText } from '../../../src/tools/new/command/outcome-text.ts'
import { contractFiles, type ProjectPlan, wiringTemplate } from '../../../src/tools/new/command/plan.ts'
import { type ErrorSample, Expression } from '../../../src/tools/new/scaffold.ts'

const uses = (rows: Record<number, string[]>) =>
  Object.entries(rows).flatMap(([status, ids]) =>
    ids.map((operationId) => ({ operationId, status: Number(status) }))
  )
const sample = (name: string, text: string, used: Record<number, string[]>): ErrorSample => ({
  ...{ name, body: { error: text }, undecided: [], uses: uses(used) }
})

/** Runs the text of failures.ts. */
async function bodiesOf(text: string) {
  const code = stripTypeScriptTypes(text)
    .replaceAll(/^import .*\n/gm, '')
    .replace('export function', 'function')
  const errorBody = new Function(`${code}; return errorBody`)()
  return (operationId: string | undefined, code: ConstructorParameters<typeof FailureError>[0]) =>
    errorBody({ ...new FailureError(code).failure, operationId })
}

t.test('the body of a failure is chosen by its operation, then by its status', async (t) => {
  const text = failuresText(
    [
      sample('Usual', 'usual', { 400: ['a', 'b', 'c'], 500: ['a', 'b'] }),
      sample('Missing', 'missing', { 404: ['a', 'b'] }),
      sample('Lost', 'missing', { 404: ['c'], 410: ['c'] }),
      sample('Own', 'own', { 404: ['d'] }),
      { ...sample('None', '', { 403: ['a'] }), body: undefined }
    ],
    'openapi.yaml'
  )
  const body = await bodiesOf(text)
  t.strictSame(body('a', 'mismatch'), { error: 'usual' })
  t.strictSame(body('c', 'not-found'), { error: 'missing' }, 'samples that are written alike are one')
  t.strictSame(body('d', 'not-found'), { error: 'own' })
  t.strictSame(body(undefined, 'not-found'), { error: 'missing' })
  t.strictSame(body(undefined, 'timeout'), { error: 'usual' })
  t.equal(text.match(/^function /gm)?.length, 3)
})

t.test('a contract without declared errors gets the code and the message', async (t) => {
  const body = await bodiesOf(failuresText([], 'openapi.yaml'))
  t.strictSame(body('a', 'not-found'), { status: 404, code: 'not-found', message: 'no such path' })
})

for (const [what, given, comment] of [
  [
    'the place of the message',
    { body: { error: 'a' }, undecided: ['error'] },
    / decide: where the message goes; error is a sample\n/
  ],
  ['a sample', { undecided: ['code', 'a/0'] }, /\n {2}\/\/ decide: code, a\/0 are samples\n {2}return /],
  ['a body', { body: 7, undecided: [''] }, /; the body is a sample\n/],
  ['nothing', {}, /DeclaredBody \{\n {2}return /]
] as const)
  t.test(`a comment leaves ${what} to a person`, async (t) => {
    const message = new Expression('message', () => '')
    const made = { ...sample('A', '', { 404: ['a'] }), ...{ body: { error: message } }, ...given }
    t.match(failuresText([made], 'openapi.yaml'), comment)
  })

const operation = {
  operationId: 'a',
  method: 'GET',
  path: '/a',
  url: '/a',
  security: [],
  parameters: [],
  responses: {}
}
const wiring = wiringTemplate()
const handlers = stubsFor([{ operation, responseType: 'AResponse' }], wiring)
const examplesOf = (headers: Record<string, string>) => new Map([['a', { status: 204, headers }]])
const plan = (more: Partial<ProjectPlan>): ProjectPlan => ({
  ...{
    name: 'x',
    title: '',
    basePath: '',
    contract: 'openapi.yaml',
    handlers: [],
    wiring,
    securitySchemes: {}
  },
  ...{
    examples: new Map(),
    scaffold: { errors: [], withoutRequest: [], answers: () => new Map(), unfit: () => [] }
  },
  ...more
})

const fileOf = (plan: ProjectPlan, path: string) => String(new Map(projectFiles(plan)).get(path))

t.test('a comment names the credential that a security function gets', async (t) => {
  const text = securityText({
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    certificate: { type: 'mutualTLS' },
    basic: { type: 'http', scheme: 'basic' },
    digest: { type: 'http', scheme: 'digest' }
  })
  for (const credential of [
    'the key in the header "X-Key"',
    'the certificate of the client',
    '{ username, password } of the header Authorization',
    'the credentials of the header Authorization'
  ])
    t.match(text, `/** Is called with ${credential}. */`)
  t.match(text, ': SecurityHandlers = {\n')
  t.notMatch(text, 'authenticate')
})

t.test('the service checks tokens, and the test of a project has one', async (t) => {
  for (const scheme of [
    { type: 'http', scheme: 'Bearer' },
    { type: 'oauth2' },
    { type: 'openIdConnect' }
  ] as const) {
    const own = plan({ securitySchemes: { 'a b': scheme, key: { type: 'apiKey', in: 'query', name: 'k' } } })
    const text = fileOf(own, 'src/security.ts')
    t.match(text, '= (authenticate: Authenticate) =>\n  ({\n')
    t.match(text, "the token of the header Authorization. */\n    'a b': authenticate")
    t.match(text, '    key: () => undefined\n  }) satisfies SecurityHandlers\n')
    t.match(fileOf(own, 'src/main.ts'), '  tokens: true,\n')
    t.match(fileOf(own, 'test/fixtures.ts'), "= {\n  'a b': 'token-of-test'\n}\n")
    t.match(fileOf(own, 'README.md'), /the tokens of `AUTH_TOKENS` or .*; other clients are refused/)
    const shown = { shown: 'x', unfit: [], repository: 'y', paint: paintFor({}, {}) }
    t.match(
      outcomeText(own, shown),
      /AUTH_TOKENS are accepted for a b; .* refuses every client until you write key\n/
    )
  }
  t.notMatch(fileOf(plan({}), 'src/main.ts'), 'tokens')
})

t.test('a contract without operations and without a title is a project, too', async (t) => {
  t.match(fileOf(plan({}), 'src/handlers/handlers.ts'), /\(_store: Store\).*\n {2}return \{\}/)
  t.match(fileOf(plan({}), 'README.md'), /^# Service\n\n`openapi\.yaml` describes 0 operations;/)
  const handler = (headers: Record<string, string>) =>
    String(
      new Map(handlerFiles({ handlers, wiring, examples: examplesOf(headers) })).get('src/handlers/a/a.ts')
    )
  t.match(handler({}), /=> \(\{ status: 204 \}\)/)
  t.match(handler({ Location: '/a' }), /\(\{ status: 204, headers: \{ Location: '\/a' \} \}\)/)
})

t.test(
  'the compiler and its model are for development, and the other packages are for the service',
  async (t) => {
    const vendored = (...names: string[]) =>
      Object.fromEntries(
        names.map((name) => [
          `@contract-first/${name}`,
          `file:vendor/contract-first-${name}-${manifest.version}.tgz`
        ])
      )
    const { dependencies, devDependencies, scripts, contract } = JSON.parse(
      fileOf(plan({ contract: 'openapi.json' }), 'package.json')
    )
    t.strictSame(contract, { file: 'openapi.json' })
    t.strictSame(dependencies, {
      ...vendored('engine', 'service'),
      fastify: manifest.dependencies.fastify,
      kysely: manifest.devDependencies.kysely,
      pino: manifest.dependencies.pino
    })
    t.match(devDependencies, vendored('compiler', 'contract'))
    const replaced = Object.entries<string>(Object(scripts)).filter(([, line]) => line.startsWith('exec '))
    t.strictSame(
      replaced.map(([name]) => name),
      ['start', 'dev', 'mock'],
      'npm passes no signal on through a shell'
    )
    const examples = plan({ handlers, examples: examplesOf({}) })
    t.match(JSON.parse(fileOf(examples, 'package.json')), {
      scripts: { conformance: `${scripts.conformance} --skip '*'` }
    })
  }
)

t.test('the packages of a new project have the versions of this one', async (t) => {
  const project = JSON.parse(fileOf(plan({}), 'package.json'))
  const { dependencies, devDependencies, overrides, contract } = project
  const entries = Object.entries<string>({ ...devDependencies, ...dependencies })
  const others = entries.filter(([, version]) => !version.startsWith('file:'))
  t.equal(others.length, 9)
  t.match({ ...manifest.dependencies, ...manifest.devDependencies }, Object.fromEntries(others))
  t.match(manifest.overrides, overrides)
  t.equal(contract, undefined, 'openapi.yaml is the default')
})

t.test('Node has the same version everywhere, and an older one gets a sentence', async (t) => {
  const { engines, devDependencies, scripts } = JSON.parse(fileOf(plan({}), 'package.json'))
  t.equal(fileOf(plan({}), '.nvmrc'), `${devDependencies.node}\n`)
  t.match(fileOf(plan({}), 'Dockerfile'), `FROM node:${devDependencies.node}-`)
  t.match(fileOf(plan({}), '.github/workflows/ci.yml'), 'node-version-file: .nvmrc')
  t.equal(engines.node, manifest.engines.node.replace(/ .*/, ''), 'no upper bound')
  const folder = t.testdir({
    'package.json': JSON.stringify({ type: 'module', engines }),
    src: { 'check-node.js': fileOf(plan({}), 'src/check-node.js'), 'main.ts': "console.log('started')" }
  })
  const start = scripts.start.replace(/^exec node /, '').split(' ')
  const run = (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    const preload = `--import=data:text/javascript,${encodeURIComponent(pretend)}`
    const { status, stdout, stderr } = spawnSync(process.execPath, [preload, ...start], {
      cwd: folder,
      encoding: 'utf8'
    })
    return { status, stdout, stderr }
  }
  t.match(run('20.20.2'), {
    status: 1,
    stdout: '',
    stderr: /^needs Node 24 or newer, this is 20\.20\.2: .*\n$/
  })
  t.strictSame(run('24.0.0'), { status: 0, stdout: 'started\n', stderr: '' })
})

t.test('no template has a name without a value, and a value is not searched for names', async (t) => {
  for (const contract of ['openapi.yaml', 'contract/api/{{name}}.yaml'])
    for (const [path, content] of projectFiles(plan({ contract })))
      t.notMatch(String(content).replaceAll(contract, ''), /\{\{|(?<![!=]== |\} : )undefined/, path)
  const nested = plan({ contract: 'contract/api/{{name}}.yaml' })
  t.match(fileOf(nested, 'README.md'), '`contract/api/{{name}}.yaml` describes')
  t.match(fileOf(nested, 'Dockerfile'), 'COPY contract contract\n')
  t.match(fileOf(nested, 'biome.json'), '"!contract"')
  t.match(JSON.parse(fileOf(nested, 'package.json')), { contract: { root: 'contract' } })
})

t.test('the health check of the image asks below the base path, or that of BASE_URL', async (t) => {
  const asked: unknown[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    response.writeHead(url === '/broken/-/live' ? 503 : 200).end()
  })
  t.teardown(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const PORT = String((server.address() as AddressInfo).port)
  const check = async (basePath: string, BASE_URL = '') => {
    const [, command = ''] =
      /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(fileOf(plan({ basePath }), 'Dockerfile')) ?? []
    const [, ...args] = JSON.parse(command.replaceAll('localhost', '127.0.0.1'))
    const [code] = await once(spawn(process.execPath, args, { env: { PORT, BASE_URL } }), 'exit')
    return code
  }
  t.equal(await check(''), 0)
  t.equal(await check("/it's%20v1"), 0)
  t.equal(await check('/v1', 'https://x.example/broken/'), 1)
  t.strictSame(asked, ['/-/live', "/it's%20v1/-/live", '/broken/-/live'])
  t.match(fileOf(plan({ basePath: '/v1' }), 'README.md'), '`/v1/-/ready`')
})

t.test('the files of a contract keep their places below their common folder', async (t) => {
  const folder = resolve('/contracts/shop/api')
  const fileOf = (name: string) => ({ path: join(folder, name), text: name, sha256: '' })
  const filesOf = (root: string, ...others: string[]) =>
    contractFiles({ files: [fileOf(root), ...others.map(fileOf)] }).map(({ to }) => to)
  t.strictSame(filesOf('contract'), ['openapi.yaml'])
  t.strictSame(filesOf('shop.json'), ['openapi.json'])
  t.strictSame(filesOf('shop.yaml', '../../shared/errors.yaml'), [
    'contract/shop/api/shop.yaml',
    'contract/shared/errors.yaml'
  ])
})

t.test('missing parts are counted and named', async (t) => {
  const unfit = Array.from({ length: 14 }, (_, index) => `a ${index}`)
  const text = outcomeText(plan({ handlers: [...handlers, ...handlers], examples: examplesOf({}) }), {
    ...{ shown: 'x', unfit, repository: 'a repository', paint: paintFor({}, {}) }
  })
  t.match(text, '1 answer an example of the contract, the others 501')
  t.match(text, '14 failures without a body that the contract declares')
  t.match(text, '\n  … and 4 more\n')
  t.match(text, / git +a repository\n/)
})
