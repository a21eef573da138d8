/**
 * Texts of the route table (operations.js) and of the data that is loaded on demand (requests.js, document.js). Every
 * import is a literal, so that bundlers and `tsc` follow it.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Operation, RequestBodies } from '@contract-first/engine/model'
import { formatsSource, type ImportedFormats } from '../../source/own-formats.ts'
import { quoted, sourceOf, template, templateText } from '../../source/values.ts'
import { maxReadable } from './bundle.ts'
import type { CodeLanguage } from './code-language.ts'
import { buildConstant, type OptionalModules } from './contract-module.ts'

/** Types of the exports, so that the type checker does not infer them from the data. */
const types = {
  [buildConstant]: 'string',
  operations: 'never',
  load: '() => Promise<never>',
  client: '() => Promise<never>',
  sender: 'never',
  requests: '() => Promise<never>',
  schemas: 'never',
  loadSchemas: '() => Promise<never>',
  yaml: '() => Promise<string>'
}

export function operationsDeclaration(has: OptionalModules): string {
  return Object.entries(types)
    .filter(([name]) => has.schemas || !/schemas$/i.test(name))
    .filter(([name]) => (name !== 'client' && name !== 'sender') || has[name])
    .map(([name, type]) => `export declare const ${name}: ${type}\n`)
    .join('')
}

interface RoutesOptions {
  readonly hasClient: boolean
  /** Names of the component schemas that have functions. */
  readonly schemas: readonly string[]
  /** Names of the webhooks and callbacks. */
  readonly sent: readonly string[]
  readonly language: CodeLanguage
  /** Formats of the project's own. */
  readonly formats?: ImportedFormats
}

/** Returns the route table, and loaders of the other data. */
export function operationsFile(
  all: readonly Operation[],
  { hasClient, schemas, sent, language, formats }: RoutesOptions
): string {
  const shared = new Shared()
  const operations = all.map((operation) => shared.of(servedOperation(operation)))
  const { names, text } = shared.constants()
  const list = operations.map((operation) => `  ${sourceOf(operation, { indent: 2, names })}`).join(',\n')
  const constant = (name: keyof typeof types) =>
    `export const ${name}${language === 'ts' ? `: ${types[name]}` : ''}`
  return `${text}${constant('operations')} = [
${list}
]
${constant('load')} = async () => {
  const [validators, serializers${formats ? ', own' : ''}] = await Promise.all([
    import('./validators.${language}'),
    import('./serializers.${language}')${formats ? `,\n    import(${quoted(formats.from)})` : ''}
  ])
  const builds = {
    'validators.${language}': validators.${buildConstant},
    'serializers.${language}': serializers.${buildConstant}
  }
${formats ? `  const formats = ${formatsSource(formats.formats, ({ exported }) => `own.${exported}`)}\n` : ''}  return { validators, serializers, builds${formats ? ', formats' : ''} }
}
${hasClient ? `${constant('client')} = () => import('./client.${language}')\n` : ''}${sent.length === 0 ? '' : senderLoader(sent, language, constant)}${constant('requests')} = () => import('./requests.${language}')
${constant('yaml')} = async () => (await import('./document.${language}')).yaml
${schemas.length === 0 ? '' : schemaLoaders(schemas, language, constant)}`
}

const senderLoader = (
  names: readonly string[],
  language: CodeLanguage,
  constant: (name: keyof typeof types) => string
): string => `${constant('sender')} = {
  names: ${sourceOf(names, { indent: 2, used: 7 })},
  load: () => import('./sender.${language}')
}
`

/**
 * Returns the functions of the component schemas. The first call loads the code of all of them: at once in Node, which
 * requires a module without a promise; a bundle or a browser awaits `loadSchemas` before.
 */
function schemaLoaders(
  names: readonly string[],
  language: CodeLanguage,
  constant: (name: keyof typeof types) => string
): string {
  return `let codecs
${constant('loadSchemas')} = async () => (codecs ??= (await import('./schemas.${language}')).schemas)
const required = () => {
  try {
    const { createRequire } = globalThis.process?.getBuiltinModule('node:module') ?? {}
    return createRequire(import.meta.url)('./schemas.${language}').schemas
  } catch (cause) {
    throw new Error('the schemas are not loaded: await contract.loadSchemas() first', { cause })
  }
}
const lazy = (codec) => ({
  parse: (text) => codec().parse(text),
  check: (value) => codec().check(value),
  stringify: (value) => codec().stringify(value)
})
const lazySchema = (name) => {
  const schema = () => (codecs ??= required())[name]
  return [name, { ...lazy(schema), received: lazy(() => schema().received) }]
}
${constant('schemas')} = Object.fromEntries(${sourceOf(names, { used: 44 })}.map(lazySchema))
`
}

/** Leaves out what only clients need, of responses. */
export function servedOperation(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, { headers, content }]) => {
    const served = {
      headers: headers.map(({ shape: _shape, int64: _int64, ...header }) => header),
      content: content.map(({ int64: _int64, stream: _stream, items, ...each }) => {
        const forms = items?.forms.map(({ int64: _, ...form }) => form)
        return { ...each, ...(items && forms && { items: { ...items, forms } }) }
      })
    }
    return [status, served] as const
  })
  return { ...operation, responses: Object.fromEntries(responses) }
}

/** Returns the declarations of the request bodies. Only the codec of an operation loads them, never a server. */
export function requestsFile({ shapes, bodies }: RequestBodies): string {
  return `export const shapes = ${sourceOf(shapes)}\nexport const bodies = ${sourceOf(bodies)}\n`
}

const beforeText = 'export const yaml = '
const packedModule = (packed: string): string => `import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
const packed = '${packed}'
export const yaml = brotliDecompressSync(Buffer.from(packed, 'base64')).toString()
`

/** Compresses a large text (Brotli, RFC 7932): a contract of 13 MB is then a module of 0.8 MB. */
export function documentFile(yaml: string): string {
  if (yaml.length <= maxReadable) return `${beforeText}${template(yaml)}\n`
  const bytes = Buffer.from(yaml)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length
  }
  return packedModule(brotliCompressSync(bytes, { params }).toString('base64'))
}

/** Returns the text in the module that an earlier run has written; undefined in any other file. */
export function textInDocument(module: string): string | undefined {
  const [, packed] = /^const packed = '([\w+/=]+)'$/m.exec(module) ?? []
  if (packed !== undefined) return brotliDecompressSync(Buffer.from(packed, 'base64')).toString()
  const start = module.indexOf(beforeText)
  return start < 0
    ? undefined
    : templateText(module.slice(start + beforeText.length, module.lastIndexOf('`') + 1))
}

/** Values that are written once where they are equal: responses, parameters and plans. */
export class Shared {
  readonly #known = new Map<string, object>()
  readonly #uses = new Map<object, number>()
  /** Texts in place of known values, so that no value is written again for each value around it. */
  readonly #keys = new Map<object, string>()

  /** Returns the value with equal parts as one object. */
  of(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.of(item))
    const members = Object.entries(value).map(([name, member]) => [name, this.of(member)] as const)
    const copy: object = Object.fromEntries(members)
    const text = sourceOf(copy, { names: this.#keys })
    if (text.length < minShared) return copy
    const known = this.#known.get(text) ?? copy
    if (known === copy) {
      this.#known.set(text, copy)
      // As long as any value that is written once.
      this.#keys.set(copy, `#${this.#known.size}`.padEnd(minShared))
    }
    this.#uses.set(known, (this.#uses.get(known) ?? 0) + 1)
    return known
  }

  constants(): { names: ReadonlyMap<object, string>; text: string } {
    const names = new Map<object, string>()
    let text = ''
    // Inner values come before those that hold them.
    for (const [value, uses] of this.#uses) {
      if (uses < 2) continue
      const name = `shared${names.size}`
      text += `const ${name} = ${sourceOf(value, { names })}\n`
      names.set(value, name)
    }
    return { names, text }
  }
}

/** Shortest text that is written once. */
const minShared = 60
