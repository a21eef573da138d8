import { test } from 'tap'
import { type Config, type Environment, readConfig } from '../../../src/service/config/config.ts'

/** A project with every variable. */
const whole = { defaults: { DATABASE_URL: 'sqlite:data/store.db' }, tokens: true }

const accepted = (environment: Environment): Config => {
  const result = readConfig(environment, whole)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return result.config
}

const problems = (environment: Environment): readonly string[] => {
  const result = readConfig(environment, whole)
  return 'problems' in result ? result.problems : []
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

test('an empty environment is the documented defaults', async (t) => {
  t.strictSame(accepted({}), defaults)
})

test('empty and unknown variables are ignored', async (t) => {
  const environment = {
    PORT: '',
    RATE_LIMIT: ' ',
    AUTH_TOKENS: '',
    HOME: '/root',
    PATH: '/bin',
    npm_config_port: '1'
  }
  t.strictSame(accepted(environment), defaults)
})

test('the configuration is frozen', async (t) => {
  const config = accepted({ AUTH_TOKENS: 'a,b', CORS_ORIGIN: 'https://a.example', RATE_LIMIT: '1/1s' })
  const parts = [config, config.auth, config.auth.tokens, config.corsOrigins, config.rateLimit]
  t.ok(parts.every((part) => Object.isFrozen(part)))
})

test('every variable arrives as a value of its own type', async (t) => {
  const config = accepted({
    HOST: '::1',
    PORT: ' 0 ',
    BASE_URL: 'https://x.example/api/',
    DATABASE_URL: 'postgres://u:p@a:1,b:2/plants?target_session_attrs=read-write',
    AUTH_TOKENS: 'one, two,',
    AUTH_TOKENS_FILE: '/etc/tokens',
    AUTH_JWKS_URL: 'https://id.example/jwks',
    AUTH_ISSUER: 'https://id.example',
    AUTH_AUDIENCE: 'plants',
    BODY_LIMIT: '10',
    REQUEST_TIMEOUT: '11',
    SHUTDOWN_TIMEOUT: '12',
    RATE_LIMIT: '100/1m',
    CORS_ORIGIN: 'https://a.example, http://localhost:8080',
    TRUST_PROXY: '10.0.0.0/8,loopback',
    LOG_LEVEL: 'silent',
    METRICS_PORT: '9090',
    METRICS_HOST: '10.0.0.1',
    NODE_ENV: 'production'
  })
  t.strictSame(config, {
    host: '::1',
    port: 0,
    baseUrl: new URL('https://x.example/api/'),
    basePath: '/api',
    databaseUrl: 'postgres://u:p@a:1,b:2/plants?target_session_attrs=read-write',
    auth: {
      tokens: ['one', 'two'],
      tokensFile: '/etc/tokens',
      jwks: { url: new URL('https://id.example/jwks'), issuer: 'https://id.example', audience: 'plants' }
    },
    own: {},
    usesTokens: true,
    bodyLimit: 10,
    requestTimeout: 11,
    shutdownTimeout: 12,
    rateLimit: { max: 100, windowMs: 60_000 },
    corsOrigins: ['https://a.example', 'http://localhost:8080'],
    trustProxy: ['10.0.0.0/8', 'loopback'],
    logLevel: 'silent',
    metricsPort: 9090,
    metricsHost: '10.0.0.1',
    production: true
  })
})

const refused: readonly { given: Environment; want: readonly string[] }[] = [
  { given: { PORT: '70000' }, want: ['PORT is "70000"; expected a whole number from 0 to 65535'] },
  {
    given: { PORT: 'http', LOG_LEVEL: 'loud', RATE_LIMIT: 'lots' },
    want: [
      'PORT is "http"; expected a whole number from 0 to 65535',
      'RATE_LIMIT is "lots"; expected REQUESTS/WINDOW, such as 100/1m, with a window in s, m, h or d of at most 24d, or off',
      'LOG_LEVEL is "loud"; expected one of trace, debug, info, warn, error, fatal, silent'
    ]
  },
  {
    given: { AUTH_TOKEN: 'x' },
    want: ['AUTH_TOKEN is not a variable of this service; did you mean AUTH_TOKENS?']
  },
  {
    given: { AUTH_JWKS_URL: 'https://id.example/jwks', AUTH_ISSUER: 'x' },
    want: ['AUTH_AUDIENCE is not set; expected all of AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, or none']
  },
  {
    given: { AUTH_ISSUER: 'x', AUTH_AUDIENCE: 'y' },
    want: ['AUTH_JWKS_URL is not set; expected all of AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE, or none']
  },
  {
    given: { NODE_ENV: 'production', AUTH_TOKENS: '' },
    want: [
      'none of AUTH_TOKENS, AUTH_TOKENS_FILE, AUTH_JWKS_URL is set; expected one, because NODE_ENV is production'
    ]
  },
  {
    given: { NODE_ENV: 'prod' },
    want: ['NODE_ENV is "prod"; expected one of production, development, test']
  },
  {
    given: { AUTH_TOKENS: `sha256:${'0'.repeat(64)}` },
    want: [
      'AUTH_TOKENS; expected tokens themselves; a line sha256:<hex> goes into the file of AUTH_TOKENS_FILE'
    ]
  },
  { given: { AUTH_TOKENS: ' , ' }, want: ['AUTH_TOKENS; expected at least one token'] },
  {
    given: { METRICS_PORT: '3000' },
    want: ['METRICS_PORT is "3000"; expected another port than PORT']
  },
  {
    given: { LOG_LEVEL: 'x\n'.repeat(90) },
    want: [
      `LOG_LEVEL is ${JSON.stringify(`${'x\n'.repeat(50)}…`)}; expected one of trace, debug, info, warn, error, fatal, silent`
    ]
  }
]

for (const { given, want } of refused) {
  test(`${JSON.stringify(given).slice(0, 80)} is refused`, async (t) => {
    t.strictSame(problems(given), want)
  })
}

test('no problem shows a secret', async (t) => {
  const secrets: readonly Environment[] = [
    { AUTH_TOKENS: 'good,hunter2!' },
    { AUTH_TOKEN: 'hunter2' },
    { DATABASE_URL: 'postgress://user:hunter2@host/db' },
    { DATABASE_URL: 'user:hunter2@host/db' },
    { DATABASE_URL: 'postgres://host:1 /d?password=hunter2' },
    { BASE_URL: 'https://user:hunter2@host/' },
    { AUTH_JWKS_URL: 'ftp://user:hunter2@host/' }
  ]
  for (const environment of secrets) {
    const text = problems(environment).join('\n')
    t.not(text, '')
    t.notMatch(text, 'hunter2')
  }
})

test('NODE_ENV is production or not', async (t) => {
  for (const [NODE_ENV, want] of [
    ['production', true],
    ['development', false],
    ['test', false],
    ['', false]
  ] as const)
    t.equal(accepted({ NODE_ENV, AUTH_TOKENS: 'a' }).production, want, NODE_ENV)
})

test('variables that the project does not have are not read: its handlers may have some of these names', async (t) => {
  const environment = {
    DATABASE_URL: 'mongodb://x',
    AUTH_TOKENS: '!',
    AUTH_ISSUER: 'x',
    NODE_ENV: 'production'
  }
  t.match(readConfig(environment), {
    config: { databaseUrl: '', auth: defaults.auth, usesTokens: undefined, production: true }
  })
})
