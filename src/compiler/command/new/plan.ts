/** The parts of a new project that its contract decides: its copies, its handler files, its names, its error bodies. */
import { basename, dirname, join, relative } from 'node:path'
import type { Operation } from '@contract-first/engine/server'
import { responseTypeNames } from '../../compile/types/operation-type-names.ts'
import type { InMemory } from '../../compiler.ts'
import type { MockResponse, Scaffold } from '../../scaffold.ts'
import { fileName, identifier, numberedFile, numberedIdentifier, UniqueNames } from '../../source/names.ts'

export interface HandlerPlan {
  readonly operation: Operation
  /** Folder below src/handlers/: the operation's tag, otherwise the first segment of its path. */
  readonly folder: string
  /** File name in the folder, without `.ts`. */
  readonly file: string
  readonly identifier: string
  /** Name of the type of its response in generated/types.ts. */
  readonly responseType: string
  /** Example that the handler answers; undefined for a handler that answers 501. */
  readonly response: MockResponse | undefined
}

export interface ProjectPlan {
  readonly name: string
  readonly title: string
  /** Path of the first server URL, percent-encoded: `''` or `/api`. */
  readonly basePath: string
  /** Root file of the contract, relative to the project. */
  readonly contract: string
  readonly handlers: readonly HandlerPlan[]
  readonly securitySchemes: InMemory['contract']['securitySchemes']
  readonly scaffold: Scaffold
}

interface Options {
  /** Base name of the project's folder. */
  readonly folder: string
  readonly contract: string
  readonly isMock: boolean
}

export function planProject(compiled: InMemory, scaffold: Scaffold, options: Options): ProjectPlan {
  const { title, basePath = '', operations, securitySchemes } = compiled.contract
  const responses = options.isMock ? scaffold.answers() : new Map<string, MockResponse>()
  return {
    name: fileName(options.folder, 'service'),
    title,
    basePath,
    contract: options.contract,
    handlers: handlersOf(operations, responses),
    securitySchemes,
    scaffold
  }
}

function handlersOf(
  operations: readonly Operation[],
  responses: ReadonlyMap<string, MockResponse>
): HandlerPlan[] {
  const identifiers = new UniqueNames(['createHandlers', 'Handlers', 'FailureError', 'Store'])
  const files = new UniqueNames()
  const types = responseTypeNames(operations.map(({ operationId }) => operationId))
  return operations.map((operation) => {
    const { operationId, path, tags = [] } = operation
    const tag = tags[0] ?? path.split('/').find((part) => /^[\w-]+$/.test(part)) ?? ''
    const folder = fileName(tag, 'operations')
    const path_ = files.take(`${folder}/${fileName(operationId, 'operation')}`, numberedFile)
    return {
      operation,
      folder,
      file: path_.slice(folder.length + 1),
      identifier: identifiers.take(identifier(operationId, 'operation'), numberedIdentifier),
      responseType: types.get(operationId) ?? '',
      response: responses.get(operationId)
    }
  })
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
