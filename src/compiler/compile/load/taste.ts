/**
 * Chooses the rules of style: those that find no mistake are off, and `redocly.yaml` beside the contract switches any
 * of them on or off (https://redocly.com/docs/cli/configuration/reference/rules). Only `rules` is read from that file.
 */
import { createConfig, parseYaml, Source } from '@redocly/openapi-core'
import { type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import { positionOf } from '../diagnostics/source-position.ts'
import { isObject, type Json, objectOf, own } from '../document/json-value.ts'
import type { ContractFolder } from './contract-folder.ts'
import { fatalRules } from './finding.ts'
import { didYouMean } from './near-miss.ts'

export interface Taste {
  readonly rules: Readonly<Record<string, 'off' | 'warn'>>
  readonly problems: readonly ContractProblem[]
}

/** Rules that are always off: the compiler checks them itself (checks/), or OpenAPI allows what they forbid. */
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

/** Rules about optional parts of a contract; none of them finds a mistake. */
const offByDefault = [
  'info-license',
  'info-license-strict',
  'no-empty-servers',
  'no-server-example.com',
  'operation-2xx-response',
  'operation-4xx-response',
  'operation-summary',
  'tag-description'
]

const defaults = Object.fromEntries(offByDefault.map((rule) => [rule, 'off' as const]))

export const defaultTaste: Taste = { rules: defaults, problems: [] }

/** @param onFile is called with the file before it is read, so that a watcher sees it appear */
export async function readTaste(
  path: string,
  folder: ContractFolder,
  onFile: (path: string) => void
): Promise<Taste> {
  try {
    const real = folder.find(path)
    onFile(path)
    return real === undefined ? defaultTaste : await chosenTaste(path, await folder.read(real))
  } catch (error) {
    const problem = problemIn(new Source(path, ''))
    return { rules: defaults, problems: [{ ...problem(unread(error), []), hidesLine: true }] }
  }
}

const unread = (error: unknown): string => `rules are as without this file: ${reasonOf(error)}`

async function chosenTaste(path: string, text: string): Promise<Taste> {
  const problem = problemIn(new Source(path, text))
  try {
    const chosen = objectOf(own(objectOf(parseYaml(text) as Json), 'rules'))
    const known = await tasteRules()
    const unknown = Object.keys(chosen).filter((rule) => !known.has(rule))
    const rules = Object.entries(chosen).filter(([rule]) => known.has(rule))
    return {
      rules: {
        ...defaults,
        ...Object.fromEntries(rules.map(([rule, choice]) => [rule, severityOf(choice)]))
      },
      problems: unknown.map((rule) =>
        problem(`there is no rule of taste ${rule}${didYouMean(rule, known)}`, ['rules', rule])
      )
    }
  } catch (error) {
    return { rules: defaults, problems: [problem(unread(error), [])] }
  }
}

const problemIn =
  (source: Source) =>
  (message: string, path: readonly string[]): ContractProblem => {
    const place = path.length === 0 ? { line: 1, column: 1 } : positionOf(source, path)
    return { severity: 'warning', file: source.absoluteRef, message, ...place }
  }

function severityOf(choice: Json): 'off' | 'warn' {
  const severity = isObject(choice) ? own(choice, 'severity') : choice
  return severity === 'off' || severity === false ? 'off' : 'warn'
}

/** Returns every rule of the linter that the compiler does not decide. */
async function tasteRules(): Promise<Set<string>> {
  const { rules } = await createConfig({ extends: ['all'] })
  const decided = new Set(['struct', ...fatalRules, ...unwanted])
  const names = [rules.oas3_0, rules.oas3_1, rules.oas3_2].flatMap((each) => Object.keys(each))
  return new Set(names.filter((rule) => !decided.has(rule)))
}
