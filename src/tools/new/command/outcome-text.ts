/** The text that a person sees when a project was made: its contents and the next steps. */

import { counted, formatRows, type Paint, type Row, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { shellWord } from '@contract-first/cli/shell'
import { isBearer } from '@contract-first/engine/model'
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
    failuresRow(unfit, plan),
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
  const install = repository === undefined ? `  npm install\n  npm run format\n  ${commit}\n` : ''
  const next = `\n${paint('bold', 'Next:')}\n\n  cd ${shellWord(shown)}\n${install}  npm start\n`
  return `${formatRows(rows as Row[])}\n${listed}${next}`
}

function handlersRow({ handlers, examples }: ProjectPlan): Row {
  const folders = new Set(handlers.map(({ file }) => file.replace(/\/.*/, ''))).size
  const place = `${counted(handlers.length, 'operation')} in ${counted(folders, 'folder')} of src/handlers`
  if (examples.size > 0 && examples.size < handlers.length)
    return ['handlers', `${place}, ${examples.size} answer an example of the contract, the others 501`]
  const answer = examples.size === 0 ? '501' : 'an example of the contract'
  return ['handlers', `${place}, each answers ${answer} until you write it`]
}

function failuresRow({ length }: readonly string[], { scaffold }: ProjectPlan): Row {
  if (length > 0)
    return ['failures', `${counted(length, 'failure')} without a body that the contract declares`]
  const text =
    scaffold.errors.length === 0
      ? 'the contract declares no body for them: src/failures.ts has one to edit'
      : 'every failure has a body that the contract declares'
  return ['failures', text]
}

function securityRows({ securitySchemes }: ProjectPlan): Row[] {
  const { true: tokens = [], false: others = [] } = Object.groupBy(
    Object.entries(securitySchemes),
    ([, scheme]) => String(isBearer(scheme))
  )
  const named = (schemes: typeof tokens) => printable(schemes.map(([name]) => name).join(', '))
  const sentences = [
    ...(tokens.length > 0 ? [`the tokens of AUTH_TOKENS are accepted for ${named(tokens)}`] : []),
    ...(others.length > 0 ? [`src/security.ts refuses every client until you write ${named(others)}`] : [])
  ]
  return sentences.length === 0 ? [] : [['security', sentences.join('; ')]]
}

function testRow({ scaffold: { withoutRequest: names } }: ProjectPlan): Row {
  return [
    'test',
    names.length === 0
      ? 'a valid request for every operation'
      : `no valid request was found for ${printable(names.join(', '))}: write it into test/fixtures.ts`
  ]
}
