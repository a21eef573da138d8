/**
 * Reads the rules of a house from `redocly.yaml` (https://redocly.com/docs/cli/configuration/reference/rules): `rules`,
 * `rule/*` included, and `extends`. Nothing in that file is run; what is not honoured is named.
 */
import { dirname, join } from 'node:path'
import {
  BaseResolver,
  createConfig,
  lintConfig,
  makeDocumentFromString,
  type NormalizedProblem,
  parseYaml,
  Source
} from '@redocly/openapi-core'
import { didYouMean } from '../diagnostics/near-miss.ts'
import { type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import { positionOf } from '../diagnostics/source-position.ts'
import { isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { ContractFolder } from './contract-folder.ts'
import { fatalRules, segmentsOf } from './finding.ts'

interface HouseRules {
  /** Rules as the linter takes them. */
  readonly rules: Readonly<Record<string, Json>>
  readonly errors: ReadonlySet<string>
  readonly problems: readonly ContractProblem[]
}

/** Rules that only the house switches on: the compiler checks them itself (checks/), or OpenAPI allows what they forbid. */
export const unwanted = [
  'operation-operationId',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
  'path-parameters-defined',
  'no-identical-paths',
  'security-defined',
  'spec-querystring-parameters',
  'spec-discriminator-defaultMapping',
  'spec-example-values',
  'no-example-value-and-externalValue',
  'nullable-type-sibling',
  'spec-ref-siblings'
]

/** Most files that extend one another. */
const maxDepth = 8

/** @throws {Error} for a text that is not YAML */
export async function readHouseRules(
  path: string,
  text: string,
  folder: ContractFolder
): Promise<HouseRules> {
  const house = new House(folder, await knownRules())
  await house.read(path, text, maxDepth)
  const errors = Object.entries(house.rules).flatMap(([rule, choice]) => (isError(choice) ? [rule] : []))
  return { rules: house.rules, errors: new Set(errors), problems: house.problems }
}

function isError(choice: Json): boolean {
  const severity = isObject(choice) ? (own(choice, 'severity') ?? 'error') : choice
  return severity === 'error'
}

/** Members of the file that would change what is reported, and are not read. */
const unread: ReadonlyMap<string, string> = new Map([
  ['plugins', 'plugins are programs, which are not run: their rules are not checked'],
  ['apis', 'rules of single APIs are not read: write them under rules'],
  ['decorators', 'decorators change the contract and are not run'],
  ['preprocessors', 'preprocessors change the contract and are not run'],
  ...['oas3_0', 'oas3_1', 'oas3_2'].flatMap((version) =>
    ['Rules', 'Decorators', 'Preprocessors'].map((kind): [string, string] => [
      `${version}${kind}`,
      `${version}${kind} is not read: write rules under rules`
    ])
  )
])

const isConfigurable = (rule: string): boolean => rule.startsWith('rule/')

class House {
  readonly problems: ContractProblem[] = []
  rules: Record<string, Json> = {}
  readonly #folder: ContractFolder
  readonly #known: ReadonlySet<string>

  constructor(folder: ContractFolder, known: ReadonlySet<string>) {
    this.#folder = folder
    this.#known = known
  }

  /** Reads what the file extends first, so that its own rules override them. */
  async read(path: string, text: string, depth: number): Promise<void> {
    const source = new Source(path, text)
    const config = objectOf(parseYaml(text) as Json)
    const problem = (message: string, place: readonly string[]) => {
      this.problems.push({ severity: 'warning', file: path, ...positionOf(source, place), message })
    }
    for (const [key, message] of unread) if (own(config, key) !== undefined) problem(message, [key])
    const bases = own(config, 'extends')
    for (const [index, base] of (Array.isArray(bases) ? bases : [bases ?? []].flat()).entries())
      await this.#extend(String(base), {
        path,
        depth,
        refuse: (message) => problem(message, ['extends', String(index)])
      })
    const wrong = await mistakesIn(path, text)
    for (const { pointer, message } of wrong) problem(message, pointer)
    for (const [rule, choice] of Object.entries(objectOf(own(config, 'rules'))))
      if (!wrong.some(({ pointer }) => pointer[1] === rule)) this.#choose(rule, choice, problem)
  }

  async #extend(base: string, { path, depth, refuse }: Extension): Promise<void> {
    if (/^[a-z-]+$/.test(base)) {
      const rules = await builtIn(base).catch(() => undefined)
      if (rules === undefined) refuse(`there is no configuration ${base}`)
      else Object.assign(this.rules, Object.fromEntries(rules.filter(([rule]) => this.#isInherited(rule))))
    } else if (/^[a-z]+:/i.test(base) || depth === 0)
      refuse(`${base} is not read: only files beside the contract are`)
    else await this.#extendFile(join(dirname(path), base), depth, refuse)
  }

  #isInherited(rule: string): boolean {
    return this.#known.has(rule) && !unwanted.includes(rule)
  }

  async #extendFile(path: string, depth: number, refuse: Extension['refuse']): Promise<void> {
    try {
      const real = this.#folder.find(path)
      if (real === undefined) refuse('there is no such file')
      else await this.read(path, await this.#folder.read(real), depth - 1)
    } catch (error) {
      refuse(`its rules are not read: ${reasonOf(error)}`)
    }
  }

  #choose(rule: string, choice: Json, problem: (message: string, place: readonly string[]) => void): void {
    const place = ['rules', rule]
    if (this.#known.has(rule) || isConfigurable(rule)) this.rules[rule] = choice
    else if (isDecided(rule)) {
      if (!isError(choice)) problem(`the compiler decides ${rule} itself`, place)
    } else if (rule.includes('/')) problem(`${rule} is a rule of a plugin, which is not run`, place)
    else problem(`there is no rule ${rule}${didYouMean(rule, this.#known)}`, place)
  }
}

interface Extension {
  readonly path: string
  readonly depth: number
  readonly refuse: (message: string) => void
}

const isDecided = (rule: string): boolean => rule === 'struct' || fatalRules.has(rule)

async function builtIn(name: string): Promise<[string, Json][]> {
  const { rules } = await createConfig({ extends: [name] })
  return [rules.oas3_0, rules.oas3_1, rules.oas3_2].flatMap((each) => Object.entries(each as JsonObject))
}

/** Returns every rule of the linter that the compiler does not decide. */
const knownRules = async (): Promise<Set<string>> =>
  new Set((await builtIn('all')).map(([rule]) => rule).filter((rule) => !isDecided(rule)))

interface Mistake {
  readonly pointer: readonly string[]
  readonly message: string
}

/** Returns what is wrong in `rules`, by the linter's own description of its configuration. */
async function mistakesIn(path: string, text: string): Promise<Mistake[]> {
  const [config, document] = [await createConfig({}), makeDocumentFromString(text, path)]
  config.document = document
  const found = await lintConfig({ config, document, externalRefResolver: new BaseResolver() } as never)
  return found.flatMap(mistakeOf)
}

function mistakeOf({ message, location: [location] }: NormalizedProblem): Mistake[] {
  const pointer = segmentsOf(location?.pointer)
  // A name that is unknown is reported with the one that is probably meant.
  const isUnknown = pointer.length === 2 && message.includes('is not expected here')
  return pointer[0] === 'rules' && pointer.length > 1 && !isUnknown
    ? [{ pointer, message: `${message.replace(/\.$/, '')}: ${pointer[1]} is not checked` }]
    : []
}
