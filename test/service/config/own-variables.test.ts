/** Variables that a service declares itself: read, checked, listed, typed. */
import root, { test } from 'tap'
import type { Failure } from '../../../src/engine/errors.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { renderEnvExample, renderHelp, renderTable } from '../../../src/service/config/help.ts'
import type { OwnVariables } from '../../../src/service/config/variables.ts'
import {
  buildApp,
  defineService,
  type OwnValues,
  type ServiceStore,
  type StoreSetting
} from '../../../src/service/service.ts'
import { compiled } from '../../engine/serve.ts'

const pageSize = (text: string) => {
  const size = Number(text)
  if (size >= 1 && size <= 100) return size
  throw new Error('expected a number from 1 to 100')
}

const own = {
  HOOK_SECRET: { help: 'secret of the web hook', parse: (text: string) => text },
  PAGE_SIZE: { help: 'tickets of a page', default: '20', parse: pageSize },
  RETRIES: { help: 'attempts', default: 3, parse: Number },
  REPORTS_URL: { help: 'where reports go', default: undefined, parse: (text: string) => new URL(text) },
  LIMITS: { help: 'limits', default: { max: 1 }, parse: (text: string) => JSON.parse(text) as object }
} satisfies OwnVariables

const valuesOf = (environment: Readonly<Record<string, string>>, variables: OwnVariables = own) => {
  const read = readConfig(environment, { own: variables })
  return 'problems' in read ? read.problems : read.config.own
}

test('values come from the text of the environment, otherwise from the default', async (t) => {
  const values = valuesOf({ HOOK_SECRET: ' abc ', RETRIES: '' })
  t.strictSame(values, {
    HOOK_SECRET: 'abc',
    PAGE_SIZE: 20,
    RETRIES: 3,
    REPORTS_URL: undefined,
    LIMITS: { max: 1 }
  })
  t.ok(Object.isFrozen(values))
  t.match(
    valuesOf({
      HOOK_SECRET: 'x',
      PAGE_SIZE: '5',
      RETRIES: '9',
      REPORTS_URL: 'https://a.example',
      LIMITS: '{}'
    }),
    {
      PAGE_SIZE: 5,
      RETRIES: 9,
      REPORTS_URL: { href: 'https://a.example/' },
      LIMITS: {}
    }
  )
  t.strictSame(valuesOf({}, {}), {})
})

const fails = (thrown: unknown) => ({
  help: 'it',
  parse: () => {
    throw thrown
  }
})

const problems: readonly {
  what: string
  environment?: Record<string, string>
  variables?: OwnVariables
  want: string[]
}[] = [
  { what: 'a required one is not set', want: ['HOOK_SECRET is not set: secret of the web hook'] },
  {
    what: 'an empty one counts as not set',
    environment: { HOOK_SECRET: ' ' },
    want: ['HOOK_SECRET is not set: secret of the web hook']
  },
  {
    what: 'all problems at once',
    environment: { PORT: 'x', PAGE_SIZE: '0', PAGESIZE: '1' },
    want: [
      'PAGESIZE is not a variable of this service; did you mean PAGE_SIZE?',
      'PORT is "x"; expected a whole number from 0 to 65535',
      'HOOK_SECRET is not set: secret of the web hook',
      'PAGE_SIZE: expected a number from 1 to 100'
    ]
  },
  {
    what: 'the value is not shown',
    variables: { A: fails(new Error('hunter2+ is\n  not "hunter2+"')) },
    environment: { A: 'hunter2+' },
    want: ['A: … is not "…"']
  },
  {
    what: 'a part of a number is shown',
    variables: { A: fails(new Error('1 is not in 10 to 12')) },
    environment: { A: '1' },
    want: ['A: … is not in 10 to 12']
  },
  {
    what: 'what JSON.parse quotes is not shown',
    variables: { A: { help: 'it', parse: JSON.parse } },
    environment: { A: 'hunter2' },
    want: ['A: it cannot be parsed']
  },
  {
    what: 'what is thrown is no error',
    variables: { A: fails('must be B') },
    environment: { A: 'x' },
    want: ['A: must be B']
  },
  {
    what: 'nothing is thrown',
    variables: { A: fails(undefined) },
    environment: { A: 'x' },
    want: ['A: undefined']
  },
  {
    what: 'the default is wrong',
    variables: { A: { help: 'it', default: 'x', parse: pageSize } },
    want: ['A is not set: expected a number from 1 to 100']
  },
  {
    what: 'the name is taken',
    variables: { PORT: { help: 'it', default: '1', parse: Number } },
    want: ['PORT is a variable of every service: give the one in "environment" another name']
  }
]

for (const { what, environment = {}, variables = own, want } of problems)
  test(`a problem is a sentence: ${what}`, async (t) => {
    t.strictSame(valuesOf(environment, variables), want)
  })

test('a name that only other projects have is free', async (t) => {
  const variables = { DATABASE_URL: { help: 'mine', parse: (text: string) => `my ${text}` } }
  t.strictSame(valuesOf({ DATABASE_URL: 'mongodb://x' }, variables), { DATABASE_URL: 'my mongodb://x' })
})

test('help, .env.example and the table list them behind those of every service', async (t) => {
  const help = renderHelp('Tickets 1', { own })
  t.match(help, /^ {2}NODE_ENV .*\n {2}HOOK_SECRET +secret of the web hook; required\n/m)
  t.match(
    help,
    /^ {2}PAGE_SIZE +tickets of a page \[20\]\n {2}RETRIES +attempts \[3\]\n {2}REPORTS_URL +where reports go\n {2}LIMITS +limits\n/m
  )
  t.match(
    renderEnvExample({ own }),
    '# secret of the web hook; required\n# HOOK_SECRET=\n\n# tickets of a page\n# PAGE_SIZE=20\n'
  )
  t.match(renderTable({ own }), '| `PAGE_SIZE` | `20` | tickets of a page |\n')
})

const answer = { description: '', content: { 'application/json': {} } }
const contract = await compiled(root, {
  paths: { '/a': { get: { operationId: 'a', security: [{ key: [] }], responses: { 200: answer } } } },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } }
})

test('a function in a file of its own names the type of its setting', async (t) => {
  const pageOf = ({ config }: StoreSetting<undefined, OwnValues<typeof own>>): number => config.own.PAGE_SIZE
  const urlOf = ({ config }: StoreSetting<undefined, OwnValues<typeof own>>): URL | undefined =>
    config.own.REPORTS_URL
  const found: unknown[] = []
  const definition = defineService({
    contract,
    environment: own,
    security: { key: () => ({ id: 1 }) },
    handlers: () => ({ a: async () => ({ status: 200, body: 1 }) }),
    extend: (_app, setting) => void found.push(pageOf(setting), urlOf(setting)),
    errorBody: ({ code }: Failure) => ({ code })
  })
  const app = await buildApp(definition, { environment: { HOOK_SECRET: 'x' } })
  t.teardown(() => app.close())
  t.strictSame(found, [20, undefined])
})

test('all parts of a definition have the values, typed', async (t) => {
  const definition = defineService({
    contract,
    environment: {
      PAGE_SIZE: { help: 'tickets of a page', default: '20', parse: Number },
      RETRIES: { help: 'attempts', default: undefined, parse: (text) => BigInt(text) }
    },
    openStore: async (_url, { config }) => {
      const size: number = config.own.PAGE_SIZE
      return { depth: size, ready: async () => true, close: async () => {} }
    },
    security: (_authenticate, { config, store }) => ({
      key: (key: string) => {
        const size: number = config.own.PAGE_SIZE
        return key === `${size}` && { id: typeof store }
      }
    }),
    handlers: (_store: ServiceStore, { config, log }) => {
      log.child({}).info('made')
      const { PAGE_SIZE, RETRIES }: { PAGE_SIZE: number; RETRIES: bigint | undefined } = config.own
      // @ts-expect-error it is not declared
      const { OTHER } = config.own
      return { a: async () => ({ status: 200, body: { PAGE_SIZE, RETRIES: String(RETRIES), OTHER } }) }
    },
    extend: (app, { config, store, log }) => {
      const size: number = config.own.PAGE_SIZE
      log.info('extended')
      app.get('/b', async () => ({ size, depth: store.depth, host: config.host }))
    },
    start: async ({ config, store }) => ({ size: config.own.PAGE_SIZE, depth: store.depth }),
    stop: ({ size }) => {
      const started: number = size
      return started
    },
    errorBody: ({ code }: Failure) => ({ code })
  })
  const store = { depth: 4, ready: async () => true, close: async () => {} }
  const app = await buildApp(definition, { store, environment: { PAGE_SIZE: '7' } })
  t.teardown(() => app.close())
  t.strictSame((await app.inject({ url: '/a', headers: { 'x-key': '7' } })).json(), {
    PAGE_SIZE: 7,
    RETRIES: 'undefined'
  })
  t.strictSame((await app.inject('/b')).json(), { size: 7, depth: 4, host: '127.0.0.1' })
  await t.rejects(buildApp(definition, { store, environment: { RETRIES: 'x' } }), {
    name: 'StartError',
    message: 'RETRIES: it cannot be parsed'
  })
})
