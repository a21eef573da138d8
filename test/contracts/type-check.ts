/** Type-checks generated contracts, unless the same texts were checked before. */
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { keptVerdict, projectDigest, textsDigest } from '../type-verdicts.ts'
import type { TypeProblem } from './type-checker.ts'

const project = resolve(import.meta.dirname, '../..')
const engine = join(project, 'src/engine/server.ts')
const service = join(project, 'src/service/service.ts')
const sender = join(project, 'src/engine/sender.ts')
const codec = join(project, 'src/engine/codec.ts')

const uses = globSync(join(project, 'test/types/*.ts')).map((file) => readFileSync(file, 'utf8'))
/** Uses of the types of a contract, by its name. */
const sections = new Map(
  uses
    .flatMap((text) => text.split(/^\/\/ (?=\S+\.yaml\n)/m).slice(1))
    .map((section) => {
      const [name = ''] = section.split('.yaml\n', 1)
      return [name, section.slice(`${name}.yaml\n`.length)] as const
    })
)

/** @returns the files to check: a server for the contract, and its section of test/types, if there is one */
export async function checksOf(name: string, folder: string): Promise<string[]> {
  const server = join(folder, 'server-check.ts')
  await writeFile(server, serverCheck)
  const text = sections.get(name)
  if (text === undefined) return [server]
  const copy = join(folder, `${name}.ts`)
  await writeFile(copy, withPaths(text) + helpers)
  return [server, copy]
}

/** Declarations that the sections of test/types use: a value of a type, and the request of a handler. */
const helpers = `
export declare function check<T>(value: T): void
export type Asked<Handler extends (...args: never[]) => unknown> = Parameters<Handler>[0]
`

const withPaths = (text: string): string =>
  text
    .replace("'ENGINE'", JSON.stringify(engine))
    .replace("'SERVICE'", JSON.stringify(service))
    .replace("'SENDER'", JSON.stringify(sender))
    .replace("'CODEC'", JSON.stringify(codec))

/** Checks that the server and a service take exactly the handlers that the contract declares. */
const serverCheck = `import contract, { type Handlers, type SecurityHandlers } from './contract.ts'
import { createContractServer, type Handlers as HandlersOf } from ${JSON.stringify(engine)}
import { defineService, type ServiceStore } from ${JSON.stringify(service)}
declare const handlers: Handlers
declare const security: SecurityHandlers
const errorBody = () => ({})
export const server = createContractServer({ contract, handlers, security, errorBody })
export const same: HandlersOf<typeof contract> = handlers
// @ts-expect-error a handler for no operation
export const surplus = createContractServer({ contract, handlers: { ...handlers, surplus: () => ({ status: 200 }) }, security, errorBody })
// @ts-expect-error a security handler for no scheme
export const scheme = createContractServer({ contract, handlers, security: { ...security, surplus: () => true }, errorBody })
export const service = defineService({ contract, handlers: () => handlers, security, errorBody })
export const maker = defineService({ contract, handlers: () => handlers, security: () => security, errorBody })
// @ts-expect-error handlers of a store that is never opened
export const stored = defineService({ contract, handlers: (_store: ServiceStore) => handlers, security, errorBody })
// @ts-expect-error no handlers
export const without = defineService({ contract, handlers: () => undefined, security, errorBody })
`

/**
 * @param name name of the check, which has one cached verdict
 * @param files files to check, with all that they import below their folders, and in this project
 * @returns the problems of the files and of their imports outside the project, which `npm run typecheck` checks
 */
export async function diagnose(name: string, files: readonly string[]): Promise<readonly TypeProblem[]> {
  const folders = [...new Set(files.map((file) => dirname(file)))]
  const key = [projectDigest(), ...files.map((file) => basename(file)), ...folders.map(textsDigest)].join()
  // The names of these folders are new in every run.
  const nameless = (text: string) =>
    folders.reduce((text, folder, index) => text.replaceAll(folder, `<folder ${index}>`), text)
  const named = (text: string) =>
    folders.reduce((text, folder, index) => text.replaceAll(`<folder ${index}>`, folder), text)
  const problems = await keptVerdict(name, key, async () => {
    const { problemsOf } = await import('./type-checker.ts')
    return problemsOf(files).map(({ file, text }) => ({ file: nameless(file), text: nameless(text) }))
  })
  return problems.map(({ file, text }) => ({ file: named(file), text: named(text) }))
}
