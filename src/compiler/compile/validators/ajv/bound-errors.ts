/**
 * Bounds the errors that generated validators collect. Ajv's validators collect all errors, and copy the list at each
 * reference: one megabyte of invalid items would cost gigabytes or minutes. Errors beyond the bound are only counted.
 * Their paths are bounded too, and so are those that are passed to the validators of references, valid or not.
 */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { memoised } from './memoised-code.ts'

const runtimeModule = fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/validators'))

/**
 * Limit of errors: one more than a message lists, because the message says that there are more
 * (validation-problems.ts).
 */
const maxErrors = 1001

const collected =
  /const (err\d+) = (\{[\s\S]*?\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g
const joined =
  /vErrors = vErrors === null \? (\w+(?:\.validate)?)\.errors : vErrors\.concat\(\1\.errors\);\nerrors = vErrors\.length;/g
const escapedName = /(\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g
const passedPath = /\{instancePath:(instancePath\+.*?),parentData:/g
const cut = /vErrors\.length = (_errs\d+);/g

/**
 * @param code output of ajv/dist/standalone with `lines`
 * @throws {Error} when the code collects errors in a way that is not bounded here
 */
export function boundErrors(code: string): string {
  const bounded = memoised(code)
    .replace(
      collected,
      `if(vErrors === null) vErrors = [];\nif(vErrors.length < ${maxErrors}) vErrors.push($2);`
    )
    .replace(joined, `vErrors = joinErrors(vErrors, $1.errors, ${maxErrors});\nerrors += $1.errors.length;`)
    .replace(cut, 'if(vErrors.length > $1) vErrors.length = $1;')
    .replace(escapedName, 'pointerSegment($1)')
    .replace(passedPath, '{instancePath:boundedPath($1),parentData:')
  assert.doesNotMatch(
    bounded,
    unbounded,
    'Ajv has changed how validators collect errors: they would be unbounded'
  )
  return withImports(bounded)
}

const runtimeFunctions = ['joinErrors', 'pointerSegment', 'boundedPath', 'runOf', 'recall', 'remember']

function withImports(code: string): string {
  const imports = runtimeFunctions
    .filter((name) => code.includes(`${name}(`))
    .map((name) => `const ${name} = require(${JSON.stringify(runtimeModule)}).${name};\n`)
  return [...imports, code].join('')
}

/** Matches any other code that adds to the list of errors, or copies a name from the client. */
const unbounded =
  /vErrors\.concat|vErrors = \[(?!\])|(?<!length < \d+\) )vErrors\.push|\.\.\.vErrors|\.replace\(/
