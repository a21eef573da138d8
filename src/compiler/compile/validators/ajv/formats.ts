/** The formats of texts that validators check, for Ajv and by name. The functions are those of generated code. */
import { fileURLToPath } from 'node:url'
import * as checks from '@contract-first/engine/runtime/formats'
import type { Ajv } from 'ajv'
import { Name } from 'ajv/dist/compile/codegen/index.js'

export type Check = (text: string) => boolean

/** The module that generated code imports. */
export const formatsFile = fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/formats'))

/** @returns the name under which the module exports a format */
export const formatName = (format: string): string => format.replaceAll('-', '_')

const formatOf = (name: string): string => name.replaceAll('_', '-')

/** Formats that the validator enforces; int32 and int64 are keywords (vocabulary-types.ts). */
export const enforcedFormats: ReadonlySet<string> = new Set([
  ...Object.keys(checks).map(formatOf),
  'int32',
  'int64'
])

export function addFormats(ajv: Ajv): void {
  for (const [name, check] of Object.entries(checks)) ajv.addFormat(formatOf(name), check)
  ajv.opts.code.formats = new Name('formats')
}

/** @returns undefined for a format that is not checked on strings */
export function formatCheck(format: string): Check | undefined {
  const name = formatName(format)
  return Object.hasOwn(checks, name) ? Reflect.get(checks, name) : undefined
}
