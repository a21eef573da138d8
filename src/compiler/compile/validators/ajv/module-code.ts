/**
 * Turns Ajv's standalone code, which mixes `export` and `require`, into an ES module that a bundler can shake:
 * imports instead of `require`, literals instead of `new RegExp`, functions under the names they are exported by.
 */
import assert from 'node:assert/strict'
import { pattern } from '@contract-first/engine/runtime/validators'
import { formatName, formatsFile } from './formats.ts'

const exported = /^export const (\w+) = (\w+);$/
const named = /^(?:export )?const (\w+) = (validate\d+);$/
const reference = /^const (wrapper\d+) = (\w+);$/
const required = /^const (\w+) = require\(("[^"]+")\)\.(\w+);$/
const format = /^const (\w+) = formats(?:\.(\w+)|\["([\w-]+)"\]);$/
const regExp = /^const (\w+) = new RegExp\((".*"), "u"\);$/
const ownProperty = /^const (\w+) = Object\.prototype\.hasOwnProperty;$/

/** Matches strings, so that they are skipped: a contract may contain any text. */
const token = /"(?:[^"\\]|\\.)*"|\b(?:func\d+\.call|\w+)\b/g

/** @param code output of ajv/dist/standalone with `lines`: each declaration of a constant is one line */
export function moduleCode(code: string): string {
  const lines = code.split('\n')
  const names = new Map(lines.flatMap(newName))
  const body = lines
    .filter((line) => line !== '"use strict";' && newName(line).length === 0)
    .map((line) => importOf(line) ?? literalOf(line) ?? renamed(line, names))
  const exports = lines.flatMap((line) => exported.exec(line)?.[1] ?? [])
  return [...body, `export { ${exports.join(', ')} };\n`].join('\n')
}

/** @returns the name that a line of the code declares, and its replacement */
function newName(line: string): [string, string][] {
  const [, name, target] = named.exec(line) ?? []
  if (name !== undefined && target !== undefined) return [[target, name]]
  const [, alias, validator] = reference.exec(line) ?? []
  if (alias !== undefined && validator !== undefined) return [[alias, validator]]
  const [, own] = ownProperty.exec(line) ?? []
  return own === undefined ? [] : [[`${own}.call`, 'Object.hasOwn']]
}

function importOf(line: string): string | undefined {
  const [, name, module, member] = required.exec(line) ?? []
  if (name !== undefined) return `import { ${member} as ${name} } from ${module};`
  const [, alias, plain, quoted] = format.exec(line) ?? []
  if (alias !== undefined)
    return `import { ${formatName(String(plain ?? quoted))} as ${alias} } from ${JSON.stringify(formatsFile)};`
  assert.doesNotMatch(line, /^const \w+ = (?:require\(|formats\b)/, 'Ajv has changed how it writes imports')
  return undefined
}

/** Writes the regular expressions of patterns as literals, as model/pattern.ts reads them. */
function literalOf(line: string): string | undefined {
  const [, name, source] = regExp.exec(line) ?? []
  return source === undefined ? undefined : `const ${name} = ${pattern(JSON.parse(source))};`
}

const renamed = (line: string, names: ReadonlyMap<string, string>): string =>
  line.replaceAll(token, (text) => names.get(text) ?? text)
