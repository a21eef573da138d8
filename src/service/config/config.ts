/**
 * Turns the environment and `.env` into a frozen Config, or lists all problems by the names of their variables: those of
 * every service, of libpq, and of the definition, and names that are misspelt.
 */

import { existsSync } from 'node:fs'
import type { CredentialOptions } from '../credentials/bearer.ts'
import { Unexpected } from './parse.ts'
import { StartError } from './start-error.ts'
import {
  credentialVariables,
  type DescribedVariables,
  defaultOf,
  hasVariable,
  type OwnVariable,
  type Values,
  type Variable,
  variables,
  variablesOf
} from './variables.ts'

export { credentialVariables } from './variables.ts'

type Table = typeof variables
type Read = { readonly [Name in keyof Table]: ReturnType<Table[Name]['parse']> }
type OfTokens = 'authTokens' | 'authTokensFile' | 'authJwksUrl' | 'authIssuer' | 'authAudience'

/** Values of the table of variables; those of AUTH_* are `auth`. */
export interface Config<Own extends Values = Values> extends Omit<Read, OfTokens> {
  /** Path of `baseUrl`, or that of the contract: '' or '/api', with a slash at the start and none at the end. */
  readonly basePath: string
  readonly auth: CredentialOptions
  /** True if the project has the variables AUTH_*; undefined if it does not say. */
  readonly usesTokens: boolean | undefined
  /** Values of the variables in `environment` of the definition. */
  readonly own: Own
}

/** @throws {StartError} with all problems of the environment */
export function readConfig(environment: Environment, project: DescribedVariables = {}): Config {
  const { own = {} } = project
  const taken = variablesOf(project).map(({ name }) => name)
  const problems = taken
    .filter((name) => Object.hasOwn(own, name))
    .map((name) => `${name} is a variable of every service: give the one in "environment" another name`)
  problems.push(...misspelt(Object.keys(environment), taken, Object.keys(own)))
  const config = typed({ environment, project, problems })
  problems.push(...contradictions(config, environment))
  if (problems.length > 0) throw new StartError(problems)
  return config
}

/**
 * Returns the path below which a contract is served: that of BASE_URL, by default that of the contract's first server.
 * @returns '' or '/api', with a slash at the start and none at the end
 */
export const basePathOf = (baseUrl: URL | undefined, ofContract: string | undefined): string =>
  baseUrl?.pathname.replace(/\/$/, '') ?? ofContract ?? ''

/**
 * Reads BASE_URL alone, for a server without other variables.
 * @throws {StartError} for a wrong one
 */
export function readBaseUrl(environment: Environment): URL | undefined {
  const problems: string[] = []
  const baseUrl = read(variables.baseUrl, { environment, project: {}, problems })
  if (problems.length > 0) throw new StartError(problems)
  return baseUrl
}

function typed(source: Source): Config {
  const { environment, project } = source
  const entries = Object.entries<Variable<unknown>>(variables)
  const all = Object.fromEntries(entries.map(([name, variable]) => [name, read(variable, source)])) as Read
  const { authTokens, authTokensFile, authJwksUrl, authIssuer, authAudience, ...plain } = all
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
    own: readOwn(source)
  })
}

const jwtVariables = ['AUTH_JWKS_URL', 'AUTH_ISSUER', 'AUTH_AUDIENCE']

function contradictions(config: Config, environment: Environment): string[] {
  const problems = config.usesTokens ? credentialProblems(config, environment) : []
  if (config.metricsPort === config.port && config.port !== 0)
    problems.push(`METRICS_PORT is "${config.port}"; expected another port than PORT`)
  return problems
}

function credentialProblems({ production }: Config, environment: Environment): string[] {
  const isUnset = (name: string) => settingOf(name, environment) === ''
  const missing = jwtVariables.some((name) => !isUnset(name)) ? jwtVariables.filter(isUnset) : []
  const problems = missing.map(
    (name) => `${name} is not set; expected all of ${jwtVariables.join(', ')}, or none`
  )
  const all = credentialVariables.join(', ')
  if (production && credentialVariables.every(isUnset))
    problems.push(`none of ${all} is set; expected one, because NODE_ENV is production`)
  return problems
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed text. An empty variable counts as unset: `NAME=` in a file, `${NAME:-}` in a compose file. */
const settingOf = (name: string, environment: Environment): string => environment[name]?.trim() ?? ''

interface Source {
  readonly environment: Environment
  readonly project: DescribedVariables
  /** Takes the problems, so that one start reports all of them. */
  readonly problems: string[]
}

/**
 * Returns the value, or the default after a problem. Does not read a variable that the project does not have, because
 * its handlers may use one of that name.
 */
function read<T>(variable: Variable<T>, { environment, project, problems }: Source): T {
  if (!hasVariable(variable, project)) return variable.parse(variable.default)
  const text = settingOf(variable.name, environment)
  const otherwise = defaultOf(variable, project)
  try {
    return variable.parse(text === '' ? otherwise : text)
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    problems.push(
      `${variable.name}${variable.secret ? '' : ` is ${quoted(text)}`}; expected ${error.message}`
    )
    return variable.parse(otherwise)
  }
}

const maxShown = 100

/** Quotes and truncates a text; quotes only the scheme of one that may contain a password (user information, query). */
function quoted(text: string): string {
  const safe = /[@?]/.test(text) ? text.replace(/^([a-z]+:\/\/)?.*$/is, '$1…') : text
  return JSON.stringify(safe.length > maxShown ? `${safe.slice(0, maxShown)}…` : safe)
}

/**
 * Loads `.env` if it exists.
 * @param load `process.loadEnvFile`, which keeps variables that are already set
 * @throws {StartError} for a file that cannot be read
 */
export function loadEnvFile(load: (path: string) => void): void {
  try {
    if (existsSync('.env')) load('.env')
  } catch {
    throw new StartError(['.env cannot be read: it must be a file of NAME=value lines'])
  }
}

/**
 * Finds names that differ from a variable by one wrong, missing, additional or misplaced letter: after removing at most
 * one letter of each the names are equal. They stop the start: otherwise a misspelt limit would not be in force, and a
 * misspelt credential would not be accepted.
 */
function misspelt(names: readonly string[], variables: readonly string[], own: readonly string[]): string[] {
  // A single word may resemble a variable of the system: USERS and USER, MODE and npm's NODE.
  const compared = [...variables, ...own.filter((name) => name.includes('_'))]
  const known = compared.map((name) => ({ name, edits: withoutOneLetter(name) }))
  const unknown = names.filter((name) => !variables.includes(name) && !own.includes(name))
  return unknown.flatMap((name) => {
    const edits = withoutOneLetter(name.toUpperCase())
    const meant = known.find((each) => !edits.isDisjointFrom(each.edits))
    return meant === undefined
      ? []
      : [`${name} is not a variable of this service; did you mean ${meant.name}?`]
  })
}

function withoutOneLetter(name: string): Set<string> {
  return new Set([name, ...Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1))])
}

/** Returns the values of the definition's variables; those with a problem are left out. */
function readOwn({ environment, project, problems }: Source): Values {
  const entries = Object.entries(project.own ?? {}).flatMap(([name, variable]) => {
    const text = settingOf(name, environment)
    try {
      return [[name, readValue(variable, text)] as const]
    } catch (error) {
      problems.push(`${name}${text === '' ? ' is not set' : ''}: ${reasonOf(error, text)}`)
      return []
    }
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** @param text of the environment; empty where the variable is not set */
function readValue(variable: OwnVariable<unknown>, text: string): unknown {
  if (text !== '') return variable.parse(text)
  if (!Object.hasOwn(variable, 'default')) throw new Unexpected(variable.help)
  return typeof variable.default === 'string' ? variable.parse(variable.default) : variable.default
}

/** Returns the message of a parser without the text, which may be a secret, unless it is a part of a word or a number. */
function reasonOf(error: unknown, text: string): string {
  // The parsers of JavaScript quote what they read in this error.
  if (error instanceof SyntaxError) return 'it cannot be parsed'
  const { message = error } = Object(error)
  const sentence = String(message).replaceAll(/\s+/g, ' ')
  if (text === '') return sentence
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const whole = new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g')
  return sentence.replaceAll(whole, '…')
}

/**
 * Parameters of `postgres://` URLs, each with a variable of libpq: PGSSLCERT for sslcert, PGREQUIREAUTH for require_auth
 * (https://www.postgresql.org/docs/18/libpq-envars.html).
 */
const parameters = [
  'sslmode requiressl sslnegotiation sslrootcert sslcert sslkey sslcertmode sslcrl sslcrldir sslsni',
  'ssl_min_protocol_version ssl_max_protocol_version requirepeer require_auth channel_binding',
  'gssencmode gsslib gssdelegation krbsrvname hostaddr service servicefile passfile target_session_attrs'
].flatMap((names) => names.split(' '))

/** Returns the URL with the variables as parameters, as far as it does not have these itself. */
function withLibpqVariables(databaseUrl: string, environment: Environment): string {
  if (!/^postgres(ql)?:/.test(databaseUrl)) return databaseUrl
  const [, query = ''] = databaseUrl.split('?', 2)
  const given = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()))
  // As libpq reads the parameter of JDBC.
  if (given.has('ssl')) given.add('sslmode')
  const added = parameters.flatMap((name) => {
    const value = environment[`PG${name.replaceAll('_', '').toUpperCase()}`] ?? ''
    return value === '' || given.has(name) ? [] : `${name}=${encodeURIComponent(value)}`
  })
  if (added.length === 0) return databaseUrl
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${added.join('&')}`
}
