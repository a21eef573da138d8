/** The text that a person sees when a project was made: its contents and the next steps. */

import { counted, formatRows, type Paint, type Row, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { shellWord } from '@contract-first/cli/shell'
import type { ProjectPlan } from './plan.ts'

export interface Outcome {
  /** Folder of the project, as it is shown. */
  readonly shown: string
  /** Failures for which the contract declares no body. */
  readonly unfit: readonly string[]
  /** Sentence about the repository; undefined for a project whose packages are not installed. */
  readonly repository: string | undefined
  readonly paint: Paint
}

const maxUnfit = 10

export function outcomeText(plan: ProjectPlan, { shown, unfit, repository, paint }: Outcome): string {
  const rows = [
    ['made', printable(shown)],
    handlersRow(plan),
    failuresRow(unfit),
    ...securityRows(plan),
    testRow(plan),
    ...(repository === undefined ? [] : [['git', printable(repository)]])
  ]
  const details = shortened(unfit, maxUnfit, {
    item: (each) => `  ${printable(each)}\n`,
    rest: (count) => `  … and ${count} more\n`
  })
  const listed = details.length === 0 ? '' : `\nwithout a body that fits:\n\n${details.join('')}`
  const commit = "git init && git add --all && git commit --message 'Make the project'"
  const install = repository === undefined ? `  npm install\n  ${commit}\n` : ''
  const next = `\n${paint('bold', 'Next:')}\n\n  cd ${shellWord(shown)}\n${install}  npm start\n`
  return `${formatRows(rows as Row[])}\n${listed}${next}`
}

function handlersRow({ handlers }: ProjectPlan): Row {
  const folders = new Set(handlers.map(({ folder }) => folder)).size
  const place = `${counted(handlers.length, 'operation')} in ${counted(folders, 'folder')} of src/handlers`
  return ['handlers', `${place}, ${responding(handlers)}`]
}

function responding(handlers: ProjectPlan['handlers']): string {
  const examples = handlers.filter(({ response }) => response !== undefined).length
  if (examples === 0) return 'each answers 501 until you write it'
  return examples === handlers.length
    ? 'each answers an example of the contract until you write it'
    : `${examples} answer an example of the contract, the others 501`
}

function failuresRow({ length }: readonly string[]): Row {
  return [
    'failures',
    length === 0
      ? 'every failure has a body that the contract declares'
      : `${counted(length, 'failure')} without a body that the contract declares`
  ]
}

function securityRows({ securitySchemes }: ProjectPlan): Row[] {
  const names = Object.keys(securitySchemes).join(', ')
  return names === '' ? [] : [['security', `src/security.ts refuses every client until you write ${names}`]]
}

function testRow({ scaffold: { withoutRequest: names } }: ProjectPlan): Row {
  return [
    'test',
    names.length === 0
      ? 'a valid request for every operation'
      : `no valid request was found for ${printable(names.join(', '))}: write it into test/fixtures.ts`
  ]
}
