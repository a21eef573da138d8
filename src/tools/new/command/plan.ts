/** The parts of a new project that its contract decides: its copies, its handlers, its names, its error bodies. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import {
  readWiring,
  type Stub,
  stubsFor,
  type Wiring
} from '../../../compiler/command/generate/handler-stub.ts'
import { responseTypeNames } from '../../../compiler/compile/types/handler-types.ts'
import type { InMemory } from '../../../compiler/compiler.ts'
import { fileName } from '../../../compiler/source/values.ts'
import type { MockResponse, Scaffold } from '../scaffold.ts'

export interface ProjectPlan {
  readonly name: string
  readonly title: string
  /** Path of the first server URL, percent-encoded: `''` or `/api`. */
  readonly basePath: string
  /** Root file of the contract, relative to the project. */
  readonly contract: string
  readonly handlers: readonly Stub[]
  /** `src/handlers/handlers.ts` before it has handlers. */
  readonly wiring: Wiring
  /** Examples that handlers answer, by operationId; the other handlers answer 501. */
  readonly examples: ReadonlyMap<string, MockResponse>
  readonly securitySchemes: InMemory['contract']['securitySchemes']
  readonly scaffold: Scaffold
}

interface Options {
  /** Base name of the project's folder. */
  readonly folder: string
  readonly contract: string
  readonly isMock: boolean
}

/** Folder of the files of a new project that do not depend on its contract; `{{name}}` stands for a short text. */
export const templates = join(import.meta.dirname, 'templates')

export function wiringTemplate(): Wiring {
  const text = readFileSync(join(templates, 'src/handlers/handlers.mts'), 'utf8')
  const wiring = readWiring(text.replace('_store', 'store'))
  if (wiring === undefined) throw new TypeError('the template of handlers.ts has no createHandlers')
  return wiring
}

export function planProject(compiled: InMemory, scaffold: Scaffold, options: Options): ProjectPlan {
  const { title, basePath = '', operations, securitySchemes } = compiled.contract
  const types = responseTypeNames(operations.map(({ operationId }) => operationId))
  const missing = operations.map((operation) => {
    return { operation, responseType: types.get(operation.operationId) ?? '' }
  })
  const wiring = wiringTemplate()
  return {
    name: fileName(options.folder, 'service'),
    title,
    basePath,
    contract: options.contract,
    handlers: stubsFor(missing, wiring),
    wiring,
    examples: options.isMock ? scaffold.answers() : new Map(),
    securitySchemes,
    scaffold
  }
}

export interface CopiedFile {
  /** Absolute path. */
  readonly from: string
  /** Path relative to the project, with slashes. */
  readonly to: string
  readonly text: string
}

/** Returns the folder of a new project whose files the contract may refer to. */
export const copiesFolder = ({ length }: readonly CopiedFile[]): string => (length > 1 ? 'contract' : '.')

/** @returns the root file first */
export function contractFiles({ files }: Pick<InMemory, 'files'>): readonly [CopiedFile, ...CopiedFile[]] {
  const [{ path, text }, ...others] = files
  // Every command looks for a contract of this name.
  if (others.length === 0)
    return [{ from: path, to: `openapi${/\.(json|ya?ml)$/.exec(path)?.[0] ?? '.yaml'}`, text }]
  const folder = commonFolder(files.map((file) => file.path))
  const place = (file: InMemory['files'][number]) => ({
    from: file.path,
    to: join('contract', relative(folder, file.path)).replaceAll('\\', '/'),
    text: file.text
  })
  return [place(files[0]), ...others.map(place)]
}

/** Returns the deepest folder that holds all files: references between them stay as they are. */
function commonFolder(paths: readonly string[]): string {
  let folder = dirname(String(paths[0]))
  while (paths.some((path) => relative(folder, path).startsWith('..')) && basename(folder) !== '')
    folder = dirname(folder)
  return folder
}
