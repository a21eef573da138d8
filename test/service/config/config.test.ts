/** Environment → settings, or problems in sentences; the lists of variables in help, .env.example and docs. */
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import root, { test } from 'tap'
import type { Failure } from '../../../src/engine/errors.ts'
import { variables as product } from '../../../src/plants/product.ts'
import { type Config, type Environment, readConfig } from '../../../src/service/config/config.ts'
import { renderEnvExample, renderHelp, renderTable } from '../../../src/service/config/help.ts'
import { type OwnVariables, variables, variablesOf } from '../../../src/service/config/variables.ts'
import {
  buildApp,
  defineService,
  type OwnValues,
  StartError,
  type StoreSetting
} from '../../../src/service/service.ts'
import { compiled } from '../../engine/serve.ts'

/** A project with every variable. */
const whole = { defaults: { DATABASE_URL: 'sqlite:data/store.db' }, tokens: true }

const accepted = (environment: Environment): Config => readConfig(environment, whole)

const problems = (environment: Environment, project: Parameters<typeof readConfig>[1] = whole) => {
  try {
    readConfig(environment, project)
    return []
  } catch (error) {
    return error instanceof StartError ? error.problems : [String(error)]
  }
}

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  baseUrl: undefined,
  basePath: '',
  databaseUrl: 'sqlite:data/store.db',
  auth: { tokens: [], tokensFile: undefined, jwks: undefined },
  usesTokens: true,
  own: {},
  bodyLimit: 1_048_576,
  requestTimeout: 10_000,
  shutdownTimeout: 10_000,
  rateLimit: undefined,
  corsOrigins: [],
  trustProxy: false,
  logLevel: 'info',
  metricsPort: undefined,
  metricsHost: '127.0.0.1',
  production: false
}

test('an empty environment is the documented defaults; empty and unknown variables are ignored', async (t) => {
  t.strictSame(accepted({}), defaults)
  const others = { HOME: '/root', HOSTNAME: 'a', LOGNAME: 'b', NODE_OPTIONS: 'c', npm_config_port: '1' }
  t.strictSame(accepted({ PORT: '', RATE_LIMIT: ' ', AUTH_TOKENS: '', ...others }), defaults)
})

test('the configuration is frozen', async (t) => {
  const config = accepted({ AUTH_TOKENS: 'a,b', CORS_ORIGIN: 'https://a.example', RATE_LIMIT: '1/1s' })
  const parts = [config, config.auth, config.auth.tokens, config.corsOrigins, config.rateLimit]
  t.ok(parts.every((part) => Object.isFrozen(part)))
})

const jwks = (url: string) => ({
  AUTH_JWKS_URL: url,
  AUTH_ISSUER: 'https://id.example',
  AUTH_AUDIENCE: 'plants'
})

/** Settings that a text of the environment gives, beside the defaults. */
const settings: readonly (readonly [environment: Environment, want: object])[] = [
  [{ HOST: '::' }, { host: '::' }],
  [
    { HOST: 'h', METRICS_HOST: '0.0.0.0' },
    { host: 'h', metricsHost: '0.0.0.0' }
  ],
  [
    { PORT: ' 0 ', METRICS_PORT: '65535' },
    { port: 0, metricsPort: 65_535 }
  ],
  [{ BASE_URL: 'https://x.example' }, { baseUrl: new URL('https://x.example/'), basePath: '' }],
  [
    { BASE_URL: 'http://x:81/a/b-1.2_~/' },
    { baseUrl: new URL('http://x:81/a/b-1.2_~/'), basePath: '/a/b-1.2_~' }
  ],
  [{ DATABASE_URL: 'postgres://u:p@a:1,b:2/d?x=y' }, { databaseUrl: 'postgres://u:p@a:1,b:2/d?x=y' }],
  [{ DATABASE_URL: 'postgres:///d?host=/run/p' }, { databaseUrl: 'postgres:///d?host=/run/p' }],
  [{ AUTH_TOKENS: 'a-._~+/9==, b,' }, { auth: { tokens: ['a-._~+/9==', 'b'] } }],
  [{ AUTH_TOKENS_FILE: '/etc/tokens' }, { auth: { tokensFile: '/etc/tokens' } }],
  ...['https://id.example/jwks', 'http://127.0.0.1:8/jwks', 'http://localhost/jwks', 'http://[::1]/jwks'].map(
    (url) =>
      [
        jwks(url),
        { auth: { jwks: { url: new URL(url), issuer: 'https://id.example', audience: 'plants' } } }
      ] as const
  ),
  [{ BODY_LIMIT: '10' }, { bodyLimit: 10 }],
  [
    { REQUEST_TIMEOUT: '1', SHUTDOWN_TIMEOUT: '2147483647' },
    { requestTimeout: 1, shutdownTimeout: 2_147_483_647 }
  ],
  [{ RATE_LIMIT: '5/2h' }, { rateLimit: { max: 5, windowMs: 7_200_000 } }],
  [{ RATE_LIMIT: '5/24d' }, { rateLimit: { max: 5, windowMs: 2_073_600_000 } }],
  [{ CORS_ORIGIN: 'https://a.example, http://b:81' }, { corsOrigins: ['https://a.example', 'http://b:81'] }],
  [{ TRUST_PROXY: 'true' }, { trustProxy: true }],
  [{ TRUST_PROXY: '10.0.0.1, ::1/128, loopback' }, { trustProxy: ['10.0.0.1', '::1/128', 'loopback'] }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [{ NODE_ENV: 'production', AUTH_TOKENS: 'a' }, { production: true }],
  [{ NODE_ENV: 'test' }, { production: false }],
  // Variables of libpq become parameters of the URL, as far as it does not have these itself.
  [{ DATABASE_URL: 'postgres://a', PGUSER: 'x', PGSSLMODE: '' }, { databaseUrl: 'postgres://a' }],
  [{ DATABASE_URL: 'postgres://a', PGSSLMODE: 'prefer' }, { databaseUrl: 'postgres://a?sslmode=prefer' }],
  [
    { DATABASE_URL: 'postgresql://a/b?max=1', PGSSLROOTCERT: '/a b', PGREQUIREAUTH: 'none' },
    { databaseUrl: 'postgresql://a/b?max=1&sslrootcert=%2Fa%20b&require_auth=none' }
  ],
  [{ DATABASE_URL: 'postgres://a?ssl=true', PGSSLMODE: 'y' }, { databaseUrl: 'postgres://a?ssl=true' }],
  [{ DATABASE_URL: 'sqlite:a', PGSSLMODE: 'require' }, { databaseUrl: 'sqlite:a' }]
]

test('a text of the environment is a value of its own type', async (t) => {
  for (const [environment, want] of settings)
    t.match(accepted(environment), want, JSON.stringify(environment))
})

/** Texts that a variable refuses by its own name. */
const refused: Readonly<Record<string, readonly string[]>> = {
  HOST: ['http://h', 'a..b', 'two words'],
  PORT: ['65536', '-1', '3e3', '0x10'],
  REQUEST_TIMEOUT: ['0', '2147483648', '1.5'],
  BASE_URL: ['x.example/api', 'ftp://x.example/', 'https://x.example//', 'https://user@x.example/'].concat(
    [':id', '*', '?a', '#'].map((end) => `https://x.example/${end}`)
  ),
  DATABASE_URL: ['sqlite:', 'postgres://', 'postgres://h /d', 'mysql://h/d'],
  AUTH_JWKS_URL: ['http://id.example/jwks', 'http://127.0.0.1.example/jwks', 'id.example'],
  AUTH_TOKENS: ['a,b c', 'é', ' , ', `sha256:${'0'.repeat(64)}`],
  RATE_LIMIT: ['5/25d', '0/1s', '1/0s', '1/1w', 'lots'],
  CORS_ORIGIN: ['*', 'null', 'https://a.example/', 'https://A.example'],
  TRUST_PROXY: ['2', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/x', 'proxy.example', ','],
  NODE_ENV: ['prod']
}

test('every other text is refused by the name of its variable', async (t) => {
  for (const [name, texts] of Object.entries(refused))
    for (const text of texts)
      t.match(problems({ [name]: text }).join(), new RegExp(`^${name}( is "|;)`), text)
})

const levels = 'expected one of trace, debug, info, warn, error, fatal, silent'
const port = 'expected a whole number from 0 to 65535'
const three = 'expected all of AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, or none'
const url =
  'expected an http or https URL such as https://service.example/api, without user, query or fragment'

const sentences: readonly (readonly [environment: Environment, want: readonly string[]])[] = [
  [{ PORT: 'x', LOG_LEVEL: 'loud' }, [`PORT is "x"; ${port}`, `LOG_LEVEL is "loud"; ${levels}`]],
  [{ LOG_LEVEL: 'x\n'.repeat(90) }, [`LOG_LEVEL is ${JSON.stringify(`${'x\n'.repeat(50)}…`)}; ${levels}`]],
  [{ BASE_URL: 'ftp://user:password@host' }, [`BASE_URL is "ftp://…"; ${url}`]],
  [{ BASE_URL: 'user:password@host' }, [`BASE_URL is "…"; ${url}`]],
  [{ LOG_LEVEL: '/\n?password' }, [`LOG_LEVEL is "…"; ${levels}`]],
  [
    { AUTH_TOKENS: 'a,b c' },
    ['AUTH_TOKENS; expected letters, digits and -._~+/ in token 2 of 2 (RFC 6750, section 2.1)']
  ],
  [jwks(''), [`AUTH_JWKS_URL is not set; ${three}`]],
  [{ ...jwks('https://id.example/jwks'), AUTH_AUDIENCE: '' }, [`AUTH_AUDIENCE is not set; ${three}`]],
  [
    { NODE_ENV: 'production', AUTH_TOKENS: '' },
    [
      `none of AUTH_TOKENS, AUTH_TOKENS_FILE, AUTH_JWKS_URL is set; expected one, because NODE_ENV is production`
    ]
  ],
  [{ METRICS_PORT: '3000' }, ['METRICS_PORT is "3000"; expected another port than PORT']],
  ...Object.entries({
    AUTH_TOKEN: 'AUTH_TOKENS',
    AUTH_TOKEN_FILE: 'AUTH_TOKENS_FILE',
    DATABSE_URL: 'DATABASE_URL',
    database_url: 'DATABASE_URL',
    PROT: 'PORT',
    PORTS: 'PORT',
    REQEUST_TIMEOUT: 'REQUEST_TIMEOUT',
    TRUS_TPROXY: 'TRUST_PROXY'
  }).map(([name, meant]) => [{ [name]: 'x' }, [misspelt(name, meant)]] as const)
]

function misspelt(name: string, meant: string): string {
  return `${name} is not a variable of this service; did you mean ${meant}?`
}

test('a problem is a sentence, and one start lists all of them', async (t) => {
  for (const [environment, want] of sentences) t.strictSame(problems(environment), want)
})

test('no problem shows a secret', async (t) => {
  const secrets: readonly Environment[] = [
    { AUTH_TOKENS: 'good,hunter2!' },
    { AUTH_TOKEN: 'hunter2' },
    { DATABASE_URL: 'postgress://user:hunter2@host/db' },
    { DATABASE_URL: 'postgres://host:1 /d?password=hunter2' },
    { AUTH_JWKS_URL: 'ftp://user:hunter2@host/' }
  ]
  for (const environment of secrets) t.match(problems(environment).join('\n'), /^(?!.*hunter2)./)
})

test('variables that the project does not have are neither read nor suggested', async (t) => {
  const environment = {
    DATABASE_URL: 'mongodb://x',
    AUTH_TOKENS: '!',
    AUTH_TOKEN: '1',
    NODE_ENV: 'production'
  }
  const want = { databaseUrl: '', auth: defaults.auth, usesTokens: undefined, production: true }
  t.match(readConfig(environment), want)
})

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

test('a variable of the service itself has the text of the environment, otherwise its default', async (t) => {
  const valuesOf = (environment: Environment, variables: OwnVariables) =>
    readConfig(environment, { own: variables }).own
  const values = valuesOf({ HOOK_SECRET: ' abc ', RETRIES: '' }, own)
  const otherwise = { PAGE_SIZE: 20, RETRIES: 3, REPORTS_URL: undefined, LIMITS: { max: 1 } }
  t.strictSame(values, { HOOK_SECRET: 'abc', ...otherwise })
  t.ok(Object.isFrozen(values))
  const given = { HOOK_SECRET: 'x', PAGE_SIZE: '5', RETRIES: '9', LIMITS: '{}' }
  t.match(valuesOf(given, own), { PAGE_SIZE: 5, RETRIES: 9, LIMITS: {} })
  const mine = { DATABASE_URL: { help: 'mine', parse: (text: string) => `my ${text}` } }
  t.strictSame(valuesOf({ DATABASE_URL: 'mongodb://x' }, mine), { DATABASE_URL: 'my mongodb://x' })
})

const parsedBy = (parse: (text: string) => unknown) => ({ A: { help: 'it', parse } })
const throwing = (thrown: unknown) =>
  parsedBy(() => {
    throw thrown
  })
const optional = (name: string) => ({ [name]: { help: '', default: '', parse: (text: string) => text } })
const unset = 'HOOK_SECRET is not set: secret of the web hook'

/** Problems of variables that the service declares. */
const ownProblems: readonly (readonly [
  own: OwnVariables,
  environment: Environment,
  want: readonly string[]
])[] = [
  [own, {}, [unset]],
  [own, { HOOK_SECRET: ' ' }, [unset]],
  [
    own,
    { PORT: 'x', PAGE_SIZE: '0', PAGESIZE: '1' },
    [
      misspelt('PAGESIZE', 'PAGE_SIZE'),
      `PORT is "x"; ${port}`,
      unset,
      'PAGE_SIZE: expected a number from 1 to 100'
    ]
  ],
  // The value is not shown, but a part of another word or number is, and nothing that JSON.parse quotes.
  [throwing(new Error('hunter2+ is\n  not "hunter2+"')), { A: 'hunter2+' }, ['A: … is not "…"']],
  [throwing(new Error('1 is not in 10 to 12')), { A: '1' }, ['A: … is not in 10 to 12']],
  [parsedBy(JSON.parse), { A: 'hunter2' }, ['A: it cannot be parsed']],
  [throwing('must be B'), { A: 'x' }, ['A: must be B']],
  [throwing(undefined), { A: 'x' }, ['A: undefined']],
  [
    { A: { help: 'it', default: 'x', parse: pageSize } },
    {},
    ['A is not set: expected a number from 1 to 100']
  ],
  [optional('PORT'), {}, ['PORT is a variable of every service: give the one in "environment" another name']],
  // A name of one word may resemble a variable of the system; one that is declared is itself meant.
  [{ ...optional('USERS'), ...optional('MODE') }, { USER: '1', NODE: '1' }, []],
  [optional('POST'), { POST: '1' }, []]
]

test('a problem of a variable of the service itself is a sentence, too', async (t) => {
  for (const [own, environment, want] of ownProblems) t.strictSame(problems(environment, { own }), want)
})

test('.env.example is the table of variables (npm run environment writes it), and its lines are the defaults', async (t) => {
  const text = renderEnvExample(product)
  t.equal(readFileSync('.env.example', 'utf8'), text)
  const environment = parseEnv(text.replace(/^# ([A-Z_]+=)/gm, '$1').replace(/^BASE_URL=.*/m, ''))
  const names = variablesOf(product).map(({ name }) => name)
  t.same(new Set([...Object.keys(environment), 'BASE_URL']), new Set(names))
  t.strictSame(readConfig(environment, product), readConfig({}, product))
})

test('--help, .env.example and the table of docs name the variables of the project, each with default and meaning', async (t) => {
  const help = renderHelp('Plant Store 1.2.3', product)
  t.match(help, 'Plant Store 1.2.3')
  for (const { name, default: otherwise, meaning } of Object.values(variables)) {
    const line = help.split('\n').find((each) => each.trim().startsWith(`${name} `)) ?? ''
    t.ok(line.includes(meaning) && line.includes(Object(product.defaults)[name] ?? otherwise), name)
  }
  const project = { defaults: { PORT: '8080' }, own }
  const other = renderHelp('Things 1', project)
  const example = renderEnvExample(project)
  const table = renderTable(project)
  t.match(other, /^ {2}PORT +port to listen on.* \[8080\]$/m)
  t.match(other, /^ {2}RATE_LIMIT +requests per client/m)
  t.notMatch(other + example + table, /AUTH_|DATABASE_URL|token/)
  t.match(
    other,
    /^ {2}NODE_ENV .*\n {2}HOOK_SECRET +secret of the web hook; required\n {2}PAGE_SIZE .* \[20\]\n/m
  )
  t.match(other, /^ {2}RETRIES +attempts \[3\]\n {2}REPORTS_URL +where reports go\n {2}LIMITS +limits\n/m)
  t.match(
    example,
    '# secret of the web hook; required\n# HOOK_SECRET=\n\n# tickets of a page\n# PAGE_SIZE=20\n'
  )
  t.match(table, '| `PAGE_SIZE` | `20` | tickets of a page |\n')
})

const answer = { description: '', content: { 'application/json': {} } }
const contract = await compiled(root, {
  paths: { '/a': { get: { operationId: 'a', security: [{ key: [] }], responses: { 200: answer } } } },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } }
})

test('all parts of a definition have the values, typed', async (t) => {
  const environment = {
    PAGE_SIZE: { help: 'tickets of a page', default: '20', parse: Number },
    RETRIES: { help: 'attempts', default: undefined, parse: (text: string) => BigInt(text) }
  }
  /** A function in a file of its own names the type of its setting. */
  const sizeOf = ({
    config
  }: Pick<StoreSetting<undefined, OwnValues<typeof environment>>, 'config'>): number => config.own.PAGE_SIZE
  const store = { depth: 4, ready: async () => true, close: async () => {} }
  const definition = defineService({
    contract,
    environment,
    openStore: async (_url, { config }) => ({ ...store, depth: config.own.PAGE_SIZE }),
    security: (_authenticate, setting) => ({
      key: (key: string) => key === `${sizeOf(setting)}` && { id: typeof setting.store }
    }),
    handlers: (_store: typeof store, { config, log }) => {
      log.child({}).info('made')
      const { PAGE_SIZE, RETRIES }: { PAGE_SIZE: number; RETRIES: bigint | undefined } = config.own
      // @ts-expect-error it is not declared
      const { OTHER } = config.own
      return { a: async () => ({ status: 200, body: { PAGE_SIZE, RETRIES: String(RETRIES), OTHER } }) }
    },
    extend: (app, { config, store }) =>
      void app.get('/b', async () => ({ size: sizeOf({ config }), depth: store.depth, host: config.host })),
    start: async ({ config, store }) => ({ size: config.own.PAGE_SIZE, depth: store.depth }),
    stop: ({ size }): number => size,
    errorBody: ({ code }: Failure) => ({ code })
  })
  const app = await buildApp(definition, { store, environment: { PAGE_SIZE: '7' } })
  t.teardown(() => app.close())
  const answered = await app.inject({ url: '/a', headers: { 'x-key': '7' } })
  t.strictSame(answered.json(), { PAGE_SIZE: 7, RETRIES: 'undefined' })
  t.strictSame((await app.inject('/b')).json(), { size: 7, depth: 4, host: '127.0.0.1' })
})
