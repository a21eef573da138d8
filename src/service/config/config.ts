/** Turns the environment into a frozen Config, or lists all problems by the names of their variables. */
import type { CredentialOptions } from '../credentials/bearer.ts'
import type { JwksConfig } from '../credentials/jwks.ts'
import { withLibpqVariables } from './libpq-variables.ts'
import { readOwn, takenNames } from './own-variables.ts'
import type { RateLimit } from './parse.ts'
import { type Environment, misspelt, read, type Source, textOf } from './read.ts'
import {
  credentialVariables,
  type DescribedVariables,
  type Values,
  type Variable,
  variables,
  variablesOf
} from './variables.ts'

export { loadEnvFile } from './read.ts'
export { credentialVariables } from './variables.ts'

export interface Config<Own extends Values = Values> {
  readonly host: string
  /** Port; 0: any free port. */
  readonly port: number
  /** Public URL; undefined: the origin that the server listens on. */
  readonly baseUrl: URL | undefined
  /** Path of `baseUrl`: '' or '/api', with a slash at the start and none at the end. */
  readonly basePath: string
  /** `sqlite:PATH` or `postgres://…`; not logged because it may hold a password. Empty in a project without a store. */
  readonly databaseUrl: string
  readonly auth: CredentialOptions
  /** True if the project has the variables AUTH_*; undefined if it does not say. */
  readonly usesTokens: boolean | undefined
  /** Bytes. */
  readonly bodyLimit: number
  /** Time to receive a whole request, in ms. */
  readonly requestTimeout: number
  /** Time to drain the connections, in ms. */
  readonly shutdownTimeout: number
  readonly rateLimit: RateLimit | undefined
  /** Origins that CORS allows; empty: CORS is off. */
  readonly corsOrigins: readonly string[]
  readonly trustProxy: boolean | readonly string[]
  readonly logLevel: ReturnType<typeof variables.logLevel.parse>
  /** Port of the metrics; undefined: no metrics; 0: any free port. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly production: boolean
  /** Values of the variables in `environment` of the definition. */
  readonly own: Own
}

type ConfigOrProblems = { readonly config: Config } | { readonly problems: readonly string[] }

export function readConfig(environment: Environment, project: DescribedVariables = {}): ConfigOrProblems {
  const { own = {} } = project
  const taken = variablesOf(project).map(({ name }) => name)
  const problems = [...takenNames(own, taken), ...misspelt(Object.keys(environment), taken, Object.keys(own))]
  const source = { environment, project, report: (problem: string) => problems.push(problem) }
  const config = typed((variable) => read(variable, source), source)
  problems.push(...contradictions(config, environment))
  return problems.length === 0 ? { config } : { problems }
}

type Read = <T>(variable: Variable<T>) => T

function typed(read: Read, { environment, project, report }: Source): Config {
  const baseUrl = read(variables.baseUrl)
  return Object.freeze({
    host: read(variables.host),
    port: read(variables.port),
    baseUrl,
    basePath: baseUrl?.pathname.replace(/\/$/, '') ?? '',
    databaseUrl: withLibpqVariables(read(variables.databaseUrl), environment),
    auth: Object.freeze({
      tokens: read(variables.authTokens),
      tokensFile: read(variables.authTokensFile),
      jwks: readJwks(read)
    }),
    usesTokens: project.tokens,
    bodyLimit: read(variables.bodyLimit),
    requestTimeout: read(variables.requestTimeout),
    shutdownTimeout: read(variables.shutdownTimeout),
    rateLimit: read(variables.rateLimit),
    corsOrigins: read(variables.corsOrigins),
    trustProxy: read(variables.trustProxy),
    logLevel: read(variables.logLevel),
    metricsPort: read(variables.metricsPort),
    metricsHost: read(variables.metricsHost),
    production: read(variables.production),
    own: readOwn(project.own ?? {}, environment, report)
  })
}

function readJwks(read: Read): JwksConfig | undefined {
  const url = read(variables.authJwksUrl)
  const issuer = read(variables.authIssuer)
  const audience = read(variables.authAudience)
  return url === undefined ? undefined : Object.freeze({ url, issuer, audience })
}

const jwtVariables = ['AUTH_JWKS_URL', 'AUTH_ISSUER', 'AUTH_AUDIENCE']

/** Lists the problems that concern two variables. */
function contradictions(config: Config, environment: Environment): string[] {
  const problems = config.usesTokens ? credentialProblems(config, environment) : []
  if (config.metricsPort === config.port && config.port !== 0) {
    problems.push(`METRICS_PORT is "${config.port}"; expected another port than PORT`)
  }
  return problems
}

function credentialProblems({ production }: Config, environment: Environment): string[] {
  const isUnset = (name: string) => textOf(name, environment) === ''
  const missing = jwtVariables.filter(isUnset)
  const problems = missing.length === jwtVariables.length ? [] : missing.map(loneJwtVariable)
  if (production && credentialVariables.every(isUnset)) {
    problems.push(
      `none of ${credentialVariables.join(', ')} is set; expected one, because NODE_ENV is production`
    )
  }
  return problems
}

const loneJwtVariable = (name: string) =>
  `${name} is not set; expected all of ${jwtVariables.join(', ')}, or none`
