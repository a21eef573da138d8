/** Writes memoisation into the functions that the keyword `memoised` marks (vocabulary.ts, runtime/memoised.ts). */
import assert from 'node:assert/strict'

const marker = '"memoised";\n'
const header = /^function (\w+)\(data, \{.*\n/
/** The value and its place, as Ajv's functions name them. */
const value = 'data, parentData, parentDataProperty'
const returned = /^return (?:errors === 0|false);$/gm

/** @param code output of ajv/dist/standalone with `lines`: each function and each return begins a line */
export function memoised(code: string): string {
  return code
    .split(/^(?=function )/m)
    .map((part) => (part.includes(marker) ? memoisedFunction(part) : part))
    .join('')
}

/**
 * Writes memoisation into the function itself, because a wrapper would halve the depth at which the stack overflows.
 */
function memoisedFunction(code: string): string {
  const [first = '', name = ''] = header.exec(code) ?? []
  assert.ok(name !== '' && code.search(returned) > 0, 'Ajv has changed how it writes functions')
  const prelude = [
    'rootData = runOf(rootData);',
    `const known = recall(rootData, ${name}, ${value});`,
    'if(known !== undefined) return known;\n'
  ].join('\n')
  const body = code.slice(first.length).replace(marker, '')
  return first + prelude + body.replaceAll(returned, `return remember(rootData, ${name}, ${value});`)
}
