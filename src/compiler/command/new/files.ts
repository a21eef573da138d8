/** Every file of a new project except its contract, generated code, packages and lock file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '@contract-first/cli/format'
import { commentText } from '../../source/values.ts'
import { failuresText } from './errors.ts'
import { type Files, handlerFiles, securityText } from './handlers.ts'
import type { Tarball } from './pack.ts'
import type { ProjectPlan } from './plan.ts'

const templates = join(import.meta.dirname, 'templates')

export function projectFiles(plan: ProjectPlan, tarballs: readonly Tarball[]): Files {
  const { contract, scaffold, securitySchemes } = plan
  const values = valuesOf(plan)
  return [
    ...templateFiles().map(([path, text]) => [path, fill(text, values)] as const),
    ['package.json', `${JSON.stringify(manifestOf(plan, tarballs), null, 2)}\n`],
    ['src/security.ts', securityText(securitySchemes)],
    ...handlerFiles(plan.handlers),
    ['src/failures.ts', failuresText(scaffold.errors, contract)]
  ]
}

/**
 * Reads templates/, package.json excepted. A leading underscore stands for the dot of a name, because npm packs neither
 * `.gitignore` nor `.npmrc`; it also hides `biome.json` from this repository, as `.mts` hides the code.
 */
const templateFiles = (): [path: string, text: string][] =>
  readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'package.json')
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [pathOf(file.slice(templates.length + 1)), readFileSync(file, 'utf8')])

const pathOf = (template: string): string =>
  template
    .replace(/^_(?=biome)/, '')
    .replace(/^_/, '.')
    .replace(/\.mts$/, '.ts')

type Values = Readonly<Record<string, string>>

/** Replaces `{{name}}` by the value of that name; a value is not searched again. */
const fill = (text: string, values: Values): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(values[name]))

function valuesOf({ name, title, basePath, contract, handlers, securitySchemes }: ProjectPlan): Values {
  const hasSecurity = Object.keys(securitySchemes).length > 0
  return {
    name,
    title: headingText(title) || 'Service',
    basePath,
    contract: codeText(contract),
    root: contract.includes('/') ? contract.slice(0, contract.indexOf('/')) : contract,
    operations: counted(handlers.length, 'operation'),
    answers: hasExamples(handlers)
      ? 'each answers an example of the contract until you write it'
      : 'each answers 501 until you write it',
    security: hasSecurity
      ? '| `src/security.ts` | who may call: every client is refused until you write it |\n'
      : ''
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

/** Packages that only development needs. */
const development: ReadonlySet<string> = new Set(['@contract-first/contract', '@contract-first/compiler'])

/** Returns the package.json: the template with its names and the packages in `vendor/`. */
function manifestOf({ name, title, contract, handlers }: ProjectPlan, tarballs: readonly Tarball[]): object {
  const manifest = JSON.parse(readFileSync(join(templates, 'package.json'), 'utf8'))
  const packages = tarballs.map((tarball) => [tarball.name, `file:${tarball.path}`] as const)
  const isDevelopment = ([each]: readonly [string, string]) => development.has(each)
  return {
    ...manifest,
    ...{ name, description: title, contract: settingsOf(contract) },
    scripts: hasExamples(handlers) ? withoutConformance(manifest.scripts) : manifest.scripts,
    dependencies: sorted([
      ...packages.filter((each) => !isDevelopment(each)),
      ...Object.entries<string>(manifest.dependencies)
    ]),
    devDependencies: sorted([
      ...packages.filter(isDevelopment),
      ...Object.entries<string>(manifest.devDependencies)
    ])
  }
}

const hasExamples = (handlers: ProjectPlan['handlers']): boolean =>
  handlers.some(({ response }) => response !== undefined)

/** Leaves every operation out, because an example of an answer does not answer what was sent. */
const withoutConformance = (scripts: Readonly<Record<string, string>>): object => ({
  ...scripts,
  conformance: `${scripts['conformance']} --skip '*'`
})

const sorted = (entries: readonly (readonly [string, string])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Returns where the contract is, if it is not at the default place, or refers to files above its folder. */
function settingsOf(file: string): object | undefined {
  if (file === 'openapi.yaml') return undefined
  return file.split('/').length > 2 ? { file, root: 'contract' } : { file }
}
