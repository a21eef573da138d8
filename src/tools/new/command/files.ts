/** Every file of a new project except its contract, generated code, packages and lock file. */
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { counted } from '@contract-first/cli/format'
import { isBearer } from '@contract-first/engine/model'
import type { CompilerOptions } from 'typescript'
import { handlerText, type Stub, wire } from '../../../compiler/command/generate/handler-stub.ts'
import { fenceOf } from '../../../compiler/command/generate/report-formats.ts'
import { ts } from '../../../compiler/source/typescript.ts'
import {
  commentText,
  identifier,
  keyOf,
  numberedIdentifier,
  sourceOf,
  UniqueNames
} from '../../../compiler/source/values.ts'
import { type ErrorSample, expressionsIn } from '../scaffold.ts'
import { packageNames, packagesVersion } from './pack.ts'
import { type ProjectPlan, templates } from './plan.ts'

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

/** Writes a text as code in a table. */
function codeText(text: string): string {
  const fence = fenceOf(text, 1)
  const space = fence.length === 1 ? '' : ' '
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

type Files = readonly (readonly [path: string, text: string])[]
type Plan = Pick<ProjectPlan, 'handlers' | 'wiring' | 'examples'>

export const handlerFiles = (plan: Plan): Files => [
  ...plan.handlers.map((stub) => [handlerPath(stub), stubText(stub, plan)] as const),
  ...(plan.handlers.length > 0
    ? [['src/handlers/handlers.ts', wire(plan.wiring, plan.handlers)] as const]
    : [])
]

const handlerPath = ({ file }: Stub): string => `src/handlers/${file}`

/** @param cast follows the answer, when its type is narrower than its schema */
function stubText(stub: Stub, { examples, wiring: { passed } }: Plan, cast = ''): string {
  const example = examples.get(stub.operation.operationId)
  if (example === undefined) return stub.text
  const { status, body, headers } = example
  const answer = { status, body, ...(Object.keys(headers).length > 0 && { headers }) }
  return handlerText(stub, passed, `${sourceOf(answer, { indent: 2, used: 60 })}${cast}`)
}

/** Casts examples whose type is narrower than their schema: types cannot express everything that a schema can. */
export async function castExamples(folder: string, plan: Plan): Promise<void> {
  const answering = plan.handlers.filter(({ operation }) => plan.examples.has(operation.operationId))
  const program = ts.createProgram(
    answering.map((stub) => join(folder, handlerPath(stub))),
    settingsIn(folder)
  )
  for (const stub of answering) {
    const path = join(folder, handlerPath(stub))
    if (program.getSemanticDiagnostics(program.getSourceFile(path)).length > 0)
      await writeFile(path, stubText(stub, plan, ' as never'))
  }
}

function settingsIn(folder: string): CompilerOptions {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  // The types of Node lie beside the compiler: the new project is not installed yet.
  const types = fileURLToPath(new URL('..', import.meta.resolve('@types/node/package.json')))
  return { ...options, typeRoots: [types] }
}

/** Writes `src/security.ts`: the functions that judge credentials. */
export function securityText(schemes: ProjectPlan['securitySchemes']): string {
  const all = Object.entries(schemes)
  const hasTokens = all.some(([, scheme]) => isBearer(scheme))
  const members = all.map(([name, scheme]) => {
    const comment = commentText(`Is called with ${credentialOf(scheme)}`)
    return `  /** ${comment}. */\n  ${keyOf(name)}: ${isBearer(scheme) ? 'authenticate' : '() => undefined'}`
  })
  const list = members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`
  const doc = all.length === 0 ? '/** The contract declares no security scheme. */' : securityDoc(hasTokens)
  const maker = `(authenticate: Authenticate) =>\n  (${list.replaceAll('\n', '\n  ')}) satisfies SecurityHandlers`
  return `${doc}
${hasTokens ? "import type { Authenticate } from '@contract-first/service'\n" : ''}import type { SecurityHandlers } from '../generated/types.ts'

export const security${hasTokens ? ` = ${maker}` : `: SecurityHandlers = ${list}`}
`
}

const securityDoc = (hasTokens: boolean): string => `/**
 * Judges credentials: a function for each security scheme of the contract. It is called with the credential and
 * \`{ scopes, request }\`, and returns the client, such as \`{ id: 'ada' }\`, which handlers read as \`request.principal\`.
 * It throws \`new FailureError('forbidden')\` for a client that lacks one of the scopes.
 *${hasTokens ? ' `authenticate` does so for the tokens of AUTH_TOKENS, AUTH_TOKENS_FILE and AUTH_JWKS_URL.\n *' : ''} A function that returns undefined refuses every client.
 */`

function credentialOf(scheme: ProjectPlan['securitySchemes'][string]): string {
  if (scheme.type === 'apiKey') return `the key in the ${scheme.in} ${JSON.stringify(scheme.name)}`
  if (scheme.type === 'mutualTLS') return 'the certificate of the client'
  if (isBearer(scheme)) return 'the token of the header Authorization'
  return scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic'
    ? '{ username, password } of the header Authorization'
    : 'the credentials of the header Authorization'
}

/** Changes to the files of a project that depends on the published packages, without a folder `vendor/`. */
const edits: Readonly<Record<string, readonly (readonly [expression: RegExp, replacement: string])[]>> = {
  'package.json': [[/"file:vendor\/[\w-]+?-(\d[^"]*)\.tgz"/g, '"^$1"']],
  'biome.json': [[/"!vendor", /, '']],
  Dockerfile: [[/^COPY vendor vendor\n/m, '']],
  '.dockerignore': [[/^!vendor\n/m, '']],
  'README.md': [
    [/^\| `vendor\/` .*\n/m, ''],
    [
      /replace the files of `vendor\/`[\s\S]*?\(a plain [^)]*\),/,
      `\`npm update\n  ${packageNames.join(' ')}\`,`
    ]
  ]
}

export const fromRegistry = (files: Files): Files =>
  files.map(([path, text]) => [
    path,
    (edits[path] ?? []).reduce((edited, [expression, by]) => edited.replace(expression, by), text)
  ])

/** A function of `src/failures.ts`; samples with the same source code share one. */
interface Body {
  readonly name: string
  /** Its parameter and what follows. */
  readonly code: string
  readonly uses: ErrorSample['uses']
}

/**
 * Writes `src/failures.ts`: a function for each body that the contract declares for its errors.
 * @param contract the root file of the contract, for the comment
 */
export function failuresText(errors: readonly ErrorSample[], contract: string): string {
  const [usual = undeclared, ...others] = bodiesOf(errors)
  const code =
    others.length === 0
      ? `export function errorBody${usual.code}`
      : `${choiceText(usual, others)}${[usual, ...others].map(({ name, code }) => `\nfunction ${name}${code}`).join('')}`
  const node = code.includes('STATUS_CODES') ? "import { STATUS_CODES } from 'node:http'\n" : ''
  return `/** ${commentText(`The body of every failure, as ${contract} declares it.`)} */
${node}import type { Failure } from '@contract-first/engine/errors'
${usual === undeclared ? '' : declaredType}
${code}`
}

/** Type of the bodies, so that `tsc` finds one that the contract does not declare. */
const declaredType = `import type { ErrorBody } from '@contract-first/engine/server'
import type contract from '../generated/contract.ts'

/** An error body that the contract declares. */
type DeclaredBody = ReturnType<ErrorBody<typeof contract>>
`

/** The error body of a contract that declares none. */
const undeclared: Body = {
  name: '',
  code: '({ status, code, message }: Failure): unknown {\n  return { status, code, message }\n}\n',
  uses: []
}

/** Names that the functions of `src/failures.ts` must not hide. */
const reserved = 'errorBody bodies body failure operationId status message STATUS_CODES'.split(' ')

function bodiesOf(errors: readonly ErrorSample[]): Body[] {
  const names = new UniqueNames(reserved)
  const found = errors.filter(({ body }) => body !== undefined)
  return [...Map.groupBy(found, codeOf)].map(([code, samples]) => ({
    name: names.take(identifier(samples[0]?.name ?? '', 'failure'), numberedIdentifier),
    code,
    uses: samples.flatMap(({ uses }) => uses)
  }))
}

function codeOf({ body, undecided }: ErrorSample): string {
  const value = sourceOf(body, { indent: 2, used: 7 })
  const reads = ['status', 'message'].filter((name) =>
    expressionsIn(body).some(({ text }) => text.includes(name))
  )
  const samples = undecided.map((name) => (name === '' ? 'the body' : name)).join(', ')
  const open = [
    ...(reads.includes('message') ? [] : ['where the message goes']),
    ...(samples === '' ? [] : [`${samples} ${undecided.length > 1 ? 'are samples' : 'is a sample'}`])
  ]
  const comment = open.length === 0 ? '' : `  // decide: ${commentText(open.join('; '))}\n`
  const parameter = reads.length === 0 ? '_failure' : `{ ${reads.join(', ')} }`
  return `(${parameter}: Failure): DeclaredBody {\n${comment}  return ${value}\n}\n`
}

/** Writes the function that chooses by operation and status, otherwise by status; undeclared failures have the usual body. */
function choiceText(usual: Body, others: readonly Body[]): string {
  const all = [usual, ...others]
  const count = ({ uses }: Body, status: number) => uses.filter((use) => use.status === status).length
  const statuses = new Set(all.flatMap(({ uses }) => uses.map(({ status }) => status)))
  const rows = [...statuses]
    .toSorted((a, b) => a - b)
    .flatMap((status) => {
      const [most = usual, ...exceptions] = all.toSorted((a, b) => count(b, status) - count(a, status))
      const own = exceptions.flatMap((body) =>
        body.uses.flatMap((use) =>
          use.status === status ? [[`${use.operationId} ${status}`, body] as const] : []
        )
      )
      return most === usual ? own : [[String(status), most] as const, ...own]
    })
  const table = rows.map(([key, { name }]) => `  ${keyOf(key)}: ${name}`)
  return `export function errorBody(failure: Failure & { readonly operationId: string | undefined }): DeclaredBody {
  const { operationId, status } = failure
  const body = bodies[\`\${operationId} \${status}\`] ?? bodies[status] ?? ${usual.name}
  return body(failure)
}

/** Bodies by operation and status, and by status. */
const bodies: Readonly<Record<string, (failure: Failure) => DeclaredBody>> = {
${table.join(',\n')}
}
`
}
