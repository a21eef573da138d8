/** Runs the generator once: compiles the contract, compares it with the last one, writes the files that differ. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { assertNoWarnings, ContractError, type JsonObject } from '@contract-first/contract'
import { loadContract } from '@contract-first/contract/load'
import type { compileContract as Compile, Compiled, CompileSettings } from './compile.ts'
import { textInDocument } from './emit/operations-module.ts'
import { differingFiles, writeFiles } from './emit/write.ts'

export interface GenerateOptions extends CompileSettings {
  /** The root file of the contract. */
  readonly contract: string
  /** The folder of the generated files. */
  readonly out: string
  /** True to compare only: no file is written. */
  readonly check?: boolean
  /** True to refuse a contract with warnings. */
  readonly strict?: boolean
}

export interface Generated {
  readonly compiled: Compiled
  /** Names of the files that differed; they are written unless `check` is set. */
  readonly differing: readonly string[]
  /** The bundled documents; the previous one may be missing. */
  readonly documents: { readonly before: JsonObject | undefined; readonly after: JsonObject }
  /** Duration in milliseconds. */
  readonly time: number
}

/** Loads what writes files late: a mock writes none, and TypeScript takes a third of a second. */
export const compileContract: typeof Compile = async (...given) =>
  (await import('./compile.ts')).compileContract(...given)

/** @throws {ContractError} with every problem found; nothing is written then */
export async function generate({
  contract,
  out,
  check = false,
  strict = false,
  ...observer
}: GenerateOptions): Promise<Generated> {
  const started = performance.now()
  const compiled = await compiledOf(contract, out, { ...observer, strict })
  const name = String([...compiled.files.keys()].find((file) => file.startsWith('document.')))
  const before = await documentIn(out, name, compiled)
  const differing = check ? await differingFiles(compiled.files, out) : await writeFiles(compiled.files, out)
  const { document: after } = compiled
  if (!check) written.set(out, { document: after, module: compiled.files.get(name) })
  return { compiled, differing, documents: { before, after }, time: performance.now() - started }
}

async function compiledOf(
  contract: string,
  out: string,
  { strict, ...observer }: CompileSettings & { readonly strict: boolean }
): Promise<Compiled> {
  try {
    const compiled = await compileContract(contract, out, observer)
    if (strict) assertNoWarnings(compiled.problems)
    return compiled
  } catch (error) {
    if (strict && error instanceof ContractError) assertNoWarnings(error.problems)
    throw error
  }
}

/** Contracts that this process has written last, by folder: loading one again would take a fifth of a run. */
const written = new Map<string, { readonly document: JsonObject; readonly module: string | undefined }>()

/** @returns the document that was compiled last into the folder; undefined if it cannot be read */
async function documentIn(
  out: string,
  name: string,
  { yaml, document, files }: Compiled
): Promise<JsonObject | undefined> {
  const module = await readFile(join(out, name), 'utf8').catch(() => '')
  if (module === files.get(name)) return document
  const last = written.get(out)
  if (last?.module === module) return last.document
  const text = textInDocument(module)
  return text === yaml ? document : documentOf(text)
}

/** Loads a contract of one text. */
async function documentOf(text = ''): Promise<JsonObject | undefined> {
  const path = resolve('openapi.yaml')
  const tree = { realPath: () => path, names: () => [], read: async () => text }
  const loaded = await loadContract(path, undefined, { tree }).catch(() => undefined)
  return loaded?.document
}
