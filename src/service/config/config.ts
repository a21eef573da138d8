/** Turns the environment into a frozen Config, or lists all problems by the names of their variables. */
import type { CredentialOptions } from '../credentials/bearer.ts'
import { withLibpqVariables } from './libpq-variables.ts'
import type { RateLimit } from './parse.ts'
import { type Environment, misspelt, read, readOwn, type Source, settingOf, takenNames } from './read.ts'
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
  /** Path of `baseUrl`, or that of the contract: '' or '/api', with a slash at the start and none at the end. */
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
  const config = typed(source)
  problems.push(...contradictions(config, environment))
  return problems.length === 0 ? { config } : { problems }
}

/**
 * Returns the path below which a contract is served: that of BASE_URL, by default that of the contract's first server.
 * @returns '' or '/api', with a slash at the start and none at the end
 */
export const basePathOf = (baseUrl: URL | undefined, ofContract: string | undefined): string =>
  baseUrl?.pathname.replace(/\/$/, '') ?? ofContract ?? ''

/** Reads BASE_URL alone, for a server without other variables. */
export function readBaseUrl(
  environment: Environment
): Pick<Config, 'baseUrl'> | { readonly problems: string[] } {
  const problems: string[] = []
  const baseUrl = read(variables.baseUrl, { environment, project: {}, report: (text) => problems.push(text) })
  return problems.length === 0 ? { baseUrl } : { problems }
}

type Table = typeof variables
type Read = { readonly [Name in keyof Table]: ReturnType<Table[Name]['parse']> }

function readAll(source: Source): Read {
  const entries = Object.entries<Variable<unknown>>(variables)
  return Object.fromEntries(entries.map(([name, variable]) => [name, read(variable, source)])) as Read
}

function typed(source: Source): Config {
  const { environment, project, report } = source
  const { authTokens, authTokensFile, authJwksUrl, authIssuer, authAudience, ...plain } = readAll(source)
  const jwks = authJwksUrl && { url: authJwksUrl, issuer: authIssuer, audience: authAudience }
  return Object.freeze({
    ...plain,
    basePath: basePathOf(plain.baseUrl, project.basePath),
    databaseUrl: withLibpqVariables(plain.databaseUrl, environment),
    auth: Object.freeze({
      tokens: authTokens,
      tokensFile: authTokensFile,
      jwks: jwks && Object.freeze(jwks)
    }),
    usesTokens: project.tokens,
    own: readOwn(project.own ?? {}, environment, report)
  })
}

const jwtVariables = ['AUTH_JWKS_URL', 'AUTH_ISSUER', 'AUTH_AUDIENCE']

function contradictions(config: Config, environment: Environment): string[] {
  const problems = config.usesTokens ? credentialProblems(config, environment) : []
  if (config.metricsPort === config.port && config.port !== 0) {
    problems.push(`METRICS_PORT is "${config.port}"; expected another port than PORT`)
  }
  return problems
}

function credentialProblems({ production }: Config, environment: Environment): string[] {
  const isUnset = (name: string) => settingOf(name, environment) === ''
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
