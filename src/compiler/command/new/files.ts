/** Every file of a new project except its contract, generated code, packages and lock file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '@contract-first/cli/format'
import { isBearer } from '@contract-first/engine/model'
import { commentText, keyOf } from '../../source/values.ts'
import { failuresText } from './failures.ts'
import { type Files, handlerFiles } from './handlers.ts'
import { packagesVersion } from './pack.ts'
import { type ProjectPlan, templates } from './plan.ts'
import { securityText } from './security.ts'

export function projectFiles(plan: ProjectPlan): Files {
  const { contract, scaffold, securitySchemes } = plan
  const values = valuesOf(plan)
  const copies = new Map(templateFiles().map(([path, text]) => [path, fill(text, values)]))
  const files = new Map<string, string>([
    ...copies,
    ['package.json', manifestText(copies.get('package.json') ?? '', plan)],
    ['src/security.ts', securityText(securitySchemes)],
    ...handlerFiles(plan),
    ['src/failures.ts', failuresText(scaffold.errors, contract)]
  ])
  return [...files]
}

/**
 * Reads templates/. A leading underscore stands for the dot of a name, because npm packs neither
 * `.gitignore` nor `.npmrc`; it also hides `biome.json` from this repository, as `.mts` hides the code.
 */
const templateFiles = (): [path: string, text: string][] =>
  readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [pathOf(file.slice(templates.length + 1)), readFileSync(file, 'utf8')])

const pathOf = (template: string): string =>
  template
    .replace(/^_(?=biome)/, '')
    .replace(/^_/, '.')
    .replace(/\.mts$/, '.ts')

type Values = Readonly<Record<string, string>>

/** Replaces `{{name}}`, or a comment line of it, by the value of that name; a value is not searched again. */
const fill = (text: string, values: Values): string =>
  text
    .replaceAll(/^ *\/\/ \{\{(\w+)\}\}\n|\{\{(\w+)\}\}/gm, (_all, line, name) => String(values[line ?? name]))
    .replaceAll('{\n}', '{}')

function valuesOf(plan: ProjectPlan): Values {
  const { name, title, basePath, contract, handlers, examples, securitySchemes } = plan
  const tokens = Object.entries(securitySchemes).flatMap(([key, each]) => (isBearer(each) ? [key] : []))
  const credentials = tokens.map((key) => `  ${keyOf(key)}: 'token-of-test'`)
  const hasOthers = Object.keys(securitySchemes).length > tokens.length
  const callers = [
    ...(tokens.length > 0
      ? ['the tokens of `AUTH_TOKENS` or another variable `AUTH_*`; production needs one']
      : []),
    ...(hasOthers ? ['other clients are refused until you write it'] : [])
  ]
  return {
    name,
    version: packagesVersion(),
    title: headingText(title) || 'Service',
    basePath,
    contract: codeText(contract),
    root: contract.includes('/') ? contract.slice(0, contract.indexOf('/')) : contract,
    operations: counted(handlers.length, 'operation'),
    answers: `each answers ${examples.size > 0 ? 'an example of the contract' : '501'} until you write it`,
    security: callers.length > 0 ? `| \`src/security.ts\` | who may call: ${callers.join('; ')} |\n` : '',
    tokens: tokens.length > 0 ? '  tokens: true,\n' : '',
    credentials: tokens.length > 0 ? `${credentials.join(',\n')}\n` : ''
  }
}

/** Escapes what Markdown and HTML would interpret (CommonMark 0.31.2, section 2.4). */
const headingText = (text: string): string => commentText(text).replaceAll(/[\\`*_[\]<>&#!|~]/g, '\\$&')

/** Writes a text as code in a table: between more backticks than it has in a row. */
function codeText(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([{ length }]) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest === 0 ? '' : ' '
  return `${fence}${space}${commentText(text).replaceAll('|', '\\|')}${space}${fence}`
}

/** Returns the package.json: the template with the names of the project. */
function manifestText(template: string, { name, title, contract, examples }: ProjectPlan): string {
  const { scripts, ...manifest } = JSON.parse(template)
  // An example of an answer does not answer what was sent: the check leaves every operation out.
  const conformance = examples.size > 0 ? `${scripts.conformance} --skip '*'` : scripts.conformance
  const own = { name, description: title, contract: settingsOf(contract) }
  return `${JSON.stringify({ ...manifest, ...own, scripts: { ...scripts, conformance } }, null, 2)}\n`
}

/** Returns where the contract is, if it is not at the default place, or refers to files above its folder. */
function settingsOf(file: string): object | undefined {
  if (file === 'openapi.yaml') return undefined
  return file.split('/').length > 2 ? { file, root: 'contract' } : { file }
}
