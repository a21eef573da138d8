/** Table of environment variables of every service. Tests compare `--help`, `.env.example` and docs/environment.md with it. */
import * as parse from './parse.ts'

export interface Variable<T> {
  readonly name: string
  /** Default as a user would type it, parsed like any other text; empty: no value. */
  readonly default: string
  /** Text shown instead of `default` where that is not a value to type. */
  readonly shownDefault?: string
  readonly meaning: string
  /** Meaning in a project without tokens, if it differs. */
  readonly meaningWithoutTokens?: string
  /** Group of variables that only some projects have. */
  readonly group?: 'store' | 'tokens'
  /** True if no part of the value may be shown. */
  readonly secret?: true
  /** @throws {parse.Unexpected} when the text does not have the form of the variable */
  readonly parse: (text: string) => T
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const variables = {
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'address to listen on',
    parse: parse.host
  },
  port: {
    name: 'PORT',
    default: '3000',
    meaning: 'port to listen on; 0 takes a free one and logs it',
    parse: parse.port
  },
  baseUrl: {
    name: 'BASE_URL',
    default: '',
    shownDefault: 'http://HOST:PORT',
    meaning:
      'public URL of the service; its path, by default that of the first server in the contract, prefixes every route, docs included',
    parse: (text) => (text === '' ? undefined : parse.baseUrl(text))
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: '',
    // Not logged, because it may hold a password.
    meaning: 'sqlite:PATH, or postgres://… (several hosts and target_session_attrs=read-write allowed)',
    group: 'store',
    parse: (text) => (text === '' ? '' : parse.databaseUrl(text))
  },
  authTokens: {
    name: 'AUTH_TOKENS',
    default: '',
    meaning: 'bearer tokens, comma separated; they carry no scopes',
    group: 'tokens',
    secret: true,
    parse: parse.tokens
  },
  authTokensFile: {
    name: 'AUTH_TOKENS_FILE',
    default: '',
    meaning:
      'file with one token a line, or sha256:<hex> of one, then its scopes; # comments; read again on SIGHUP',
    group: 'tokens',
    parse: (text) => (text === '' ? undefined : text)
  },
  authJwksUrl: {
    name: 'AUTH_JWKS_URL',
    default: '',
    meaning: 'accept JWTs signed with a key of this JWKS; scope or scp names their scopes',
    group: 'tokens',
    parse: (text) => (text === '' ? undefined : parse.jwksUrl(text))
  },
  authIssuer: {
    name: 'AUTH_ISSUER',
    default: '',
    meaning: 'the iss that a JWT must have',
    group: 'tokens',
    parse: (text) => text
  },
  authAudience: {
    name: 'AUTH_AUDIENCE',
    default: '',
    meaning: 'the aud that a JWT must have',
    group: 'tokens',
    parse: (text) => text
  },
  bodyLimit: {
    name: 'BODY_LIMIT',
    default: '1048576',
    meaning: 'largest request body, in bytes',
    parse: parse.wholeNumber(1, 268_435_456)
  },
  requestTimeout: {
    name: 'REQUEST_TIMEOUT',
    default: '10000',
    meaning: 'ms to receive a whole request',
    parse: parse.milliseconds
  },
  shutdownTimeout: {
    name: 'SHUTDOWN_TIMEOUT',
    default: '10000',
    meaning: 'ms to drain on SIGTERM or SIGINT',
    parse: parse.milliseconds
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: 'off',
    meaning: 'requests per token per window, such as 100/1m',
    meaningWithoutTokens: 'requests per client per window, such as 100/1m',
    parse: parse.orOff(parse.rateLimit)
  },
  corsOrigins: {
    name: 'CORS_ORIGIN',
    default: 'off',
    meaning: 'origins allowed to call from a browser, comma separated',
    parse: (text) => parse.orOff(parse.origins)(text) ?? Object.freeze([])
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning: "as Fastify's trustProxy: true, or the addresses of the proxies, comma separated",
    parse: (text) => parse.orOff(parse.trustProxy)(text) ?? false
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: `pino level: ${logLevels.join(', ')}`,
    parse: parse.oneOf(...logLevels)
  },
  metricsPort: {
    name: 'METRICS_PORT',
    default: 'off',
    meaning: 'Prometheus metrics on METRICS_HOST:PORT/metrics; 0 takes a free port and logs it',
    parse: parse.orOff(parse.port)
  },
  metricsHost: {
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    meaning: 'address that the metrics listen on, without credentials: never a public one',
    parse: parse.host
  },
  production: {
    name: 'NODE_ENV',
    default: '',
    meaning:
      'production, development or test; with production the service refuses to start without AUTH_*, instead of making a token',
    meaningWithoutTokens:
      'production, development or test; with production the start prints nothing but the log',
    parse: (text) => text !== '' && parse.oneOf('production', 'development', 'test')(text) === 'production'
  }
} as const satisfies Record<string, Variable<unknown>>

export const credentialVariables = ['AUTH_TOKENS', 'AUTH_TOKENS_FILE', 'AUTH_JWKS_URL'] as const

/** Variables of a project in addition to those of every service, and its defaults. */
export interface ProjectVariables {
  /** Default texts in place of those of the table, by name; DATABASE_URL exists only if it has one here. */
  readonly defaults?: Readonly<Record<string, string>>
  /** True if AUTH_* exist, because `authenticate` checks a security scheme; false if a function for security does not use it. */
  readonly tokens?: boolean | undefined
}

/** Variable that a service declares itself. */
export interface OwnVariable<Value> {
  /** Meaning, for `--help`. */
  readonly help: string
  /**
   * A text is parsed, as if an operator had typed it; any other value is taken as it is. Without this property the
   * variable is required.
   */
  readonly default?: Value | string
  /** Returns the value of a text. Throws for a wrong one: the message is shown, the text never. */
  readonly parse: (text: string) => Value
}

/** Values of variables by their names. */
export type Values = Readonly<Record<string, unknown>>

export type OwnVariables<Own extends Values = Values> = {
  readonly [Name in keyof Own]: OwnVariable<Own[Name]>
}

/** Values of declared variables: `OwnValues<typeof environment>`. */
export type OwnValues<Own> = Own extends OwnVariables<infer Found> ? Found : never

/** All variables of a project, for `--help` and for the start. */
export interface DescribedVariables extends ProjectVariables {
  /** Variables of the definition. */
  readonly own?: OwnVariables | undefined
  /** Path of the contract's first server, in place of that of BASE_URL. */
  readonly basePath?: string | undefined
}

export function variablesOf(project: ProjectVariables): readonly Variable<unknown>[] {
  return Object.values<Variable<unknown>>(variables).filter((variable) => hasVariable(variable, project))
}

export function hasVariable({ name, group }: Variable<unknown>, project: ProjectVariables): boolean {
  if (group === 'tokens') return project.tokens === true
  return group === undefined || project.defaults?.[name] !== undefined
}

export const defaultOf = (variable: Variable<unknown>, { defaults }: ProjectVariables): string =>
  defaults?.[variable.name] ?? variable.default
