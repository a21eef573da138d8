/**
 * Chooses the rules of style: those that find no mistake are off, and `redocly.yaml` beside the contract chooses others
 * (house-rules.ts).
 */
import type { ContractProblem } from '../diagnostics/problem.ts'
import { reasonOf } from '../diagnostics/problem.ts'
import type { Json } from '../document/json-value.ts'
import type { ContractFolder } from './contract-folder.ts'
import { readHouseRules, unwanted } from './house-rules.ts'

export interface Taste {
  /** Rules as the linter takes them: a severity, or an object with one. */
  readonly rules: Readonly<Record<string, Json>>
  /** Rules that the house calls errors. */
  readonly errors: ReadonlySet<string>
  readonly problems: readonly ContractProblem[]
  /** Absolute path of `redocly.yaml`, if there is one. */
  readonly file?: string
}

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

const defaults = Object.fromEntries([...unwanted, ...offByDefault].map((rule) => [rule, 'off' as const]))

export const defaultTaste: Taste = { rules: defaults, errors: new Set(), problems: [] }

/** @param onFile is called with the file before it is read, so that a watcher sees it appear */
export async function readTaste(
  path: string,
  folder: ContractFolder,
  onFile: (path: string) => void
): Promise<Taste> {
  try {
    const real = folder.find(path)
    onFile(path)
    if (real === undefined) return defaultTaste
    const house = await readHouseRules(path, await folder.read(real), folder)
    return { ...house, rules: { ...defaults, ...house.rules }, file: path }
  } catch (error) {
    const message = `rules are as without this file: ${reasonOf(error)}`
    const problem = { severity: 'warning', file: path, line: 1, column: 1, message, hidesLine: true } as const
    return { ...defaultTaste, problems: [problem] }
  }
}
