/** The texts of a new project for contracts of every kind, without compiling one. */
import { join, resolve } from 'node:path'
import t from 'tap'
import { paintFor } from '../../../../src/cli/format.ts'
import { contractFiles } from '../../../../src/compiler/command/new/contract-files.ts'
import { failuresText } from '../../../../src/compiler/command/new/files/failures.ts'
import { handlerFiles } from '../../../../src/compiler/command/new/files/handlers.ts'
import { manifestOf } from '../../../../src/compiler/command/new/files/manifest.ts'
import type { HandlerPlan, ProjectPlan } from '../../../../src/compiler/command/new/files/plan.ts'
import { readmeText } from '../../../../src/compiler/command/new/files/readme.ts'
import { serviceFiles } from '../../../../src/compiler/command/new/files/service.ts'
import { settingsFiles } from '../../../../src/compiler/command/new/files/settings.ts'
import { outcomeText } from '../../../../src/compiler/command/new/outcome-text.ts'
import { FailureError } from '../../../../src/engine/errors.ts'

type Shapes = Parameters<typeof failuresText>[0]
type Template = NonNullable<Shapes[number]['template']>

const fixed = (text: string): Template => ({
  kind: 'object',
  members: new Map([['error', { kind: 'value', value: text }]])
})
const uses = (rows: Record<number, string[]>) =>
  new Map(Object.entries(rows).map(([status, operations]) => [Number(status), operations]))
const looked = (name: string, values: Record<string, string>): Template => ({
  kind: 'expression',
  source: '',
  reads: ['code'],
  of: () => '',
  table: { name, values: new Map(Object.entries(values)) }
})

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
  const members = new Map([
    ['code', looked('code', { 'not-found': 'NONE' })],
    ['kinds', looked('kinds', { 'not-found': 'K' })]
  ])
  const text = failuresText(
    [
      { name: 'A', template: { kind: 'object', members }, uses: uses({ 404: ['a'] }) },
      {
        name: 'B',
        template: { kind: 'list', items: [{ kind: 'object', members }] },
        uses: uses({ 404: ['b'] })
      }
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
const handler = (answer: HandlerPlan['answer']): HandlerPlan => ({
  ...{ operation, folder: 'a', file: 'a', identifier: 'a', answer }
})
const plan = (more: Partial<ProjectPlan>): ProjectPlan => ({
  ...{ name: 'x', title: '', contract: 'openapi.yaml', handlers: [], securitySchemes: {} },
  scaffold: { errors: [], requests: [], answers: () => new Map(), unfit: () => [] },
  ...more
})

t.test('a comment names the credential that a security function gets', async (t) => {
  const files = new Map(
    serviceFiles(
      plan({
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Key' },
          certificate: { type: 'mutualTLS' },
          account: { type: 'oauth2' },
          basic: { type: 'http', scheme: 'basic' },
          bearer: { type: 'http', scheme: 'Bearer' },
          digest: { type: 'http', scheme: 'digest' }
        }
      })
    )
  )
  const text = String(files.get('src/security.ts'))
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
  t.match(readmeText(plan({})), /^# Service\n\n`openapi\.yaml` describes 0 operations;/)
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

t.test('the compiler is for development, and the other packages are for the service', async (t) => {
  const tarballs = ['service', 'engine', 'compiler'].map((name) => ({
    name: `@contract-first/${name}`,
    path: `vendor/${name}.tgz`
  }))
  const { dependencies, devDependencies, scripts } = manifestOf({
    name: 'x',
    title: 'X',
    contract: 'openapi.json',
    tarballs
  })
  t.strictSame(dependencies, {
    '@contract-first/engine': 'file:vendor/engine.tgz',
    '@contract-first/service': 'file:vendor/service.tgz'
  })
  t.match(devDependencies, { '@contract-first/compiler': 'file:vendor/compiler.tgz' })
  const replaced = Object.entries<string>(Object(scripts)).filter(([, line]) => line.startsWith('exec '))
  t.strictSame(
    replaced.map(([name]) => name),
    ['start', 'dev', 'mock'],
    'npm passes no signal on through a shell'
  )
})

t.test('a long list of settings has a line for each', async (t) => {
  const biome = String(new Map(settingsFiles(`${'long-'.repeat(20)}contract.yaml`)).get('biome.json'))
  t.match(biome, /"includes": \[\n {6}"\*\*",\n/)
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
    ...{ shown: 'x', unfit, paint: paintFor({}, {}) }
  })
  t.match(text, '1 answer an example of the contract, the others 501')
  t.match(text, '14 failures without a body that the contract declares')
  t.match(text, '\n  … and 4 more\n')
})
