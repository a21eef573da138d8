/** The formats of texts that validators check, for Ajv and by name. The functions are those of generated code. */
import * as checks from '@contract-first/engine/runtime/formats'
import type { CodeKeywordDefinition } from 'ajv'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import type { OwnFormats } from './own-formats.ts'
import { imported, importedFormat } from './runtime-imports.ts'

type Check = (text: string) => boolean

type CheckName = keyof typeof checks

/** Returns the name under which the module exports a format. */
const nameOf = (format: string): string => format.replaceAll('-', '_')

/** Formats that the validator enforces; int32 and int64 are keywords (vocabulary-types.ts). */
export const enforcedFormats: ReadonlySet<string> = new Set([
  ...Object.keys(checks).map((name) => name.replaceAll('_', '-')),
  'int32',
  'int64'
])

/** @param own formats of the project's own */
export const formatKeyword = (own: OwnFormats = new Map()): CodeKeywordDefinition => ({
  keyword: 'format',
  type: 'string',
  schemaType: 'string',
  error: { message: '', params: ({ schemaCode }) => _`{format: ${schemaCode}}` },
  code(cxt) {
    const format = own.get(cxt.schema)
    const check =
      format === undefined
        ? imported(cxt.gen, 'formats', nameOf(cxt.schema) as CheckName)
        : _`${importedFormat(cxt.gen, format)}.check`
    cxt.fail(_`!${check}(${cxt.data})`)
  }
})

/** @returns undefined for a format that is not checked on strings */
export function formatCheck(format: string): Check | undefined {
  const name = nameOf(format)
  return Object.hasOwn(checks, name) ? Reflect.get(checks, name) : undefined
}
