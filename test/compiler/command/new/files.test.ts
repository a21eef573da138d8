/** The texts of a new project for contracts of every kind, without compiling one. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import t from 'tap'
import manifest from '../../../../package.json' with { type: 'json' }
import { paintFor } from '../../../../src/cli/format.ts'
import { failuresText } from '../../../../src/compiler/command/new/errors.ts'
import { projectFiles } from '../../../../src/compiler/command/new/files.ts'
import { handlerFiles, securityText } from '../../../../src/compiler/command/new/handlers.ts'
import { outcomeText } from '../../../../src/compiler/command/new/outcome-text.ts'
import type { HandlerPlan, ProjectPlan } from '../../../../src/compiler/command/new/plan.ts'
import { contractFiles } from '../../../../src/compiler/command/new/plan.ts'
import { Expression } from '../../../../src/compiler/scaffold/error-template.ts'
import { FailureError } from '../../../../src/engine/errors.ts'

const fixed = (text: string) => ({ error: text })
const uses = (rows: Record<number, string[]>) =>
  new Map(Object.entries(rows).map(([status, operations]) => [Number(status), operations]))
const looked = (name: string, values: Record<string, string>) =>
  new Expression('', ['code'], () => '', { name, values: new Map(Object.entries(values)) })

/** Runs the text of failures.ts. */
async function bodiesOf(text: string) {
  const source = text
    .replaceAll(/^import .*\n/gm, '')
    .replaceAll(/: (?:Readonly<.*>(?= =)|unknown|Failure\b[^)]*)/g, '')
  const code = source.replaceAll(/^type .*\n/gm, '').replace('export function', 'function')
  const errorBody = new Function(`${code}; return errorBody`)()
  return (operationId: string | undefined, code: ConstructorParameters<typeof FailureError>[0]) =>
    errorBody({ ...new FailureError(code).failure, operationId })
}

t.test('the body of a failure is chosen by its operation, then by its status', async (t) => {
  const text = failuresText(
    [
      { name: 'Usual', template: fixed('usual'), uses: uses({ 400: ['a', 'b', 'c'], 500: ['a', 'b'] }) },
      { name: 'Missing', template: fixed('missing'), uses: uses({ 404: ['a', 'b'] }) },
      { name: 'Lost', template: fixed('missing'), uses: uses({ 404: ['c'], 410: ['c'] }) },
      { name: 'Own', template: fixed('own'), uses: uses({ 404: ['d'] }) },
      { name: 'None', template: undefined, uses: uses({ 403: ['a'] }) }
    ],
    'openapi.yaml'
  )
  const body = await bodiesOf(text)
  t.strictSame(body('a', 'mismatch'), { error: 'usual' })
  t.strictSame(body('c', 'not-found'), { error: 'missing' }, 'shapes that are written alike are one')
  t.strictSame(body('d', 'not-found'), { error: 'own' })
  t.strictSame(body(undefined, 'not-found'), { error: 'missing' })
  t.strictSame(body(undefined, 'timeout'), { error: 'usual' })
  t.equal(text.match(/^function /gm)?.length, 3)
})

t.test('a contract without declared errors gets the code and the message', async (t) => {
  const body = await bodiesOf(failuresText([], 'openapi.yaml'))
  t.strictSame(body('a', 'not-found'), { status: 404, code: 'not-found', message: 'no such path' })
})

t.test('values by code are tables, equal ones are written once', async (t) => {
  const members = {
    code: looked('code', { 'not-found': 'NONE' }),
    kinds: looked('kinds', { 'not-found': 'K' })
  }
  const text = failuresText(
    [
      { name: 'A', template: members, uses: uses({ 404: ['a'] }) },
      { name: 'B', template: [members], uses: uses({ 404: ['b'] }) }
    ],
    'openapi.yaml'
  )
  const body = await bodiesOf(text)
  t.strictSame(body('a', 'not-found'), { code: 'NONE', kinds: 'K' })
  t.strictSame(body('b', 'not-found'), [{ code: 'NONE', kinds: 'K' }])
  t.equal(text.match(/^const (codes|kindsValues):/gm)?.length, 2)
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
const handler = (response: HandlerPlan['response']): HandlerPlan => ({
  ...{ operation, folder: 'a', file: 'a', identifier: 'a', responseType: 'AResponse', response }
})
const plan = (more: Partial<ProjectPlan>): ProjectPlan => ({
  ...{ name: 'x', title: '', basePath: '', contract: 'openapi.yaml', handlers: [], securitySchemes: {} },
  scaffold: { errors: [], withoutRequest: [], answers: () => new Map(), unfit: () => [] },
  ...more
})

const fileOf = (plan: ProjectPlan, path: string, tarballs: Parameters<typeof projectFiles>[1] = []) =>
  String(new Map(projectFiles(plan, tarballs)).get(path))

t.test('a comment names the credential that a security function gets', async (t) => {
  const text = securityText({
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    certificate: { type: 'mutualTLS' },
    account: { type: 'oauth2' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'Bearer' },
    digest: { type: 'http', scheme: 'digest' }
  })
  for (const credential of [
    'the key in the header "X-Key"',
    'the certificate of the client',
    'the access token of the header Authorization',
    '{ username, password } of the header Authorization',
    'the token of the header Authorization',
    'the credentials of the header Authorization'
  ])
    t.match(text, `/** Is called with ${credential}. */`)
})

t.test('a contract without operations and without a title is a project, too', async (t) => {
  t.match(String(new Map(handlerFiles([])).get('src/handlers/handlers.ts')), /return \{\}/)
  t.match(fileOf(plan({}), 'README.md'), /^# Service\n\n`openapi\.yaml` describes 0 operations;/)
  t.match(
    String(new Map(handlerFiles([handler({ status: 204, headers: {} })])).get('src/handlers/a/a.ts')),
    /\(\{ status: 204 \}\)/
  )
  t.match(
    String(
      new Map(handlerFiles([handler({ status: 204, headers: { Location: '/a' } })])).get(
        'src/handlers/a/a.ts'
      )
    ),
    /\(\{ status: 204, headers: \{ Location: '\/a' \} \}\)/
  )
})

t.test(
  'the compiler and its model are for development, and the other packages are for the service',
  async (t) => {
    const tarballs = ['service', 'engine', 'contract', 'compiler'].map((name) => ({
      name: `@contract-first/${name}`,
      path: `vendor/${name}.tgz`
    }))
    const { dependencies, devDependencies, scripts, contract } = JSON.parse(
      fileOf(plan({ contract: 'openapi.json' }), 'package.json', tarballs)
    )
    t.strictSame(contract, { file: 'openapi.json' })
    t.strictSame(dependencies, {
      '@contract-first/engine': 'file:vendor/engine.tgz',
      '@contract-first/service': 'file:vendor/service.tgz',
      kysely: manifest.devDependencies.kysely
    })
    t.match(devDependencies, {
      '@contract-first/compiler': 'file:vendor/compiler.tgz',
      '@contract-first/contract': 'file:vendor/contract.tgz'
    })
    const replaced = Object.entries<string>(Object(scripts)).filter(([, line]) => line.startsWith('exec '))
    t.strictSame(
      replaced.map(([name]) => name),
      ['start', 'dev', 'mock'],
      'npm passes no signal on through a shell'
    )
    const examples = plan({ handlers: [handler({ status: 204, headers: {} })] })
    t.match(JSON.parse(fileOf(examples, 'package.json')), {
      scripts: { conformance: `${scripts.conformance} --skip '*'` }
    })
  }
)

t.test('the packages of a new project have the versions of this one', async (t) => {
  const project = JSON.parse(fileOf(plan({}), 'package.json'))
  const { dependencies, devDependencies, overrides, contract } = project
  t.equal(Object.keys(devDependencies).length, 5)
  t.match(manifest.devDependencies, { ...devDependencies, ...dependencies })
  t.strictSame(manifest.overrides.recheck, overrides.recheck)
  t.equal(contract, undefined, 'openapi.yaml is the default')
})

t.test('Node has the same version everywhere, and an older one gets a sentence', async (t) => {
  const { engines, devDependencies, scripts } = JSON.parse(fileOf(plan({}), 'package.json'))
  t.equal(fileOf(plan({}), '.nvmrc'), `${devDependencies.node}\n`)
  t.match(fileOf(plan({}), 'Dockerfile'), `FROM node:${devDependencies.node}-`)
  t.match(fileOf(plan({}), '.github/workflows/ci.yml'), 'node-version-file: .nvmrc')
  t.equal(engines.node, manifest.engines.node)
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
    for (const [path, content] of projectFiles(plan({ contract }), []))
      t.notMatch(String(content).replaceAll(contract, ''), /\{\{|(?<![!=]== )undefined/, path)
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
  const text = outcomeText(plan({ handlers: [handler({ status: 204, headers: {} }), handler(undefined)] }), {
    ...{ shown: 'x', unfit, repository: 'a repository', paint: paintFor({}, {}) }
  })
  t.match(text, '1 answer an example of the contract, the others 501')
  t.match(text, '14 failures without a body that the contract declares')
  t.match(text, '\n  … and 4 more\n')
  t.match(text, / git +a repository\n/)
})
