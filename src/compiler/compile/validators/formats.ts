/**
 * The formats of ajv-formats, for Ajv and as an ES module from which a bundler keeps only the formats that a contract
 * uses.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Ajv, Format } from 'ajv'
import { Name } from 'ajv/dist/compile/codegen/index.js'
import ajvFormats, { type FormatName } from 'ajv-formats'
import { enforcedFormats } from './keywords.ts'

export function addFormats(ajv: Ajv): void {
  for (const name of names) ajv.addFormat(name, definition(name))
  ajv.opts.code.formats = new Name('formats')
}

/** Names of the formats; int64 is a keyword (vocabulary-numbers.ts). */
const names = [...enforcedFormats].filter((name) => name !== 'int64') as FormatName[]

/** Part of the expression of ajv-formats that matches credentials in quadratic time; its replacement is linear. */
const slowCredentials = String.raw`(?:\S+(?::\S*)?@)?`
const credentials = String.raw`(?:\S+@)?`

/** The expression of ajv-formats in linear time: white space is refused before it runs. */
const url = urlExpression()
const isUrl = (text: string): boolean => !/\s/.test(text) && url.test(text)

function urlExpression(): RegExp {
  const { source, flags } = ajvFormats.default.get('url') as RegExp
  assert.ok(source.includes(slowCredentials), 'ajv-formats has changed its format url')
  return new RegExp(source.replace(slowCredentials, credentials), flags)
}

/** Unwraps a function from the object that also holds a comparison: Ajv calls it directly. */
function definition(name: FormatName): Format {
  if (name === 'url') return isUrl
  const format = ajvFormats.default.get(name)
  return typeof format === 'object' && 'compare' in format ? (format.validate as Format) : format
}

/** @returns undefined for a format that is not checked on strings */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  if (!names.some((name) => name === format) || format === 'int32') return undefined
  const checked = definition(format as FormatName)
  if (checked instanceof RegExp) return (text) => checked.test(text)
  return checked as (text: string) => boolean
}

/** Source of each format that is not a regular expression, inside of the package. */
const values: Readonly<Record<string, string>> = {
  date: 'date',
  time: '/* @__PURE__ */ getTime(true)',
  'date-time': '/* @__PURE__ */ getDateTime(true)',
  'iso-time': '/* @__PURE__ */ getTime()',
  'iso-date-time': '/* @__PURE__ */ getDateTime()',
  uri: 'uri',
  url: `(text) => !/\\s/.test(text) && ${url}.test(text)`,
  regex: 'regex',
  byte: 'byte',
  int32: '{ validate: validateInt32 }'
}

/** @returns the name under which the module exports a format */
export const formatName = (format: string): string => format.replaceAll('-', '_')

/**
 * Writes the formats as a module. The package is CommonJS: only its functions are taken, which stand below its exports.
 */
export function formatsModule(): string {
  const text = readFileSync(createRequire(import.meta.url).resolve('ajv-formats/dist/formats'), 'utf8')
  const end = 'exports.formatNames = Object.keys(exports.fullFormats);\n'
  assert.ok(text.includes(end), 'ajv-formats has changed how it exports formats')
  const functions = text.slice(text.indexOf(end) + end.length)
  const exports = Object.entries(values).map(
    ([name, value]) =>
      `const format_${formatName(name)} = ${value};\nexport { format_${formatName(name)} as ${formatName(name)} };`
  )
  return [functions, ...exports, ''].join('\n')
}
