/**
 * Bounds the errors that generated validators collect. Ajv's validators collect all errors, and copy the list at each
 * reference: one megabyte of invalid items would cost gigabytes or minutes. Errors beyond the bound are only counted.
 */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'

const runtimeModule = fileURLToPath(new URL('../../runtime/validators.ts', import.meta.url))

/** One more than a message lists: the message says that there are further ones (validation-problems.ts). */
const maxErrors = 1001

const collected =
  /const (err\d+) = (\{[\s\S]*?\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g
const joined =
  /vErrors = vErrors === null \? (\w+(?:\.validate)?)\.errors : vErrors\.concat\(\1\.errors\);\nerrors = vErrors\.length;/g
const cut = /vErrors\.length = (_errs\d+);/g

/**
 * @param code as ajv/dist/standalone writes it with `lines`
 * @throws {Error} when the code collects errors in a way that is not bounded here
 */
export function boundErrors(code: string): string {
  const bounded = code
    .replace(
      collected,
      `if(vErrors === null) vErrors = [];\nif(vErrors.length < ${maxErrors}) vErrors.push($2);`
    )
    .replace(joined, `vErrors = joinErrors(vErrors, $1.errors, ${maxErrors});\nerrors += $1.errors.length;`)
    .replace(cut, 'if(vErrors.length > $1) vErrors.length = $1;')
  assert.doesNotMatch(
    bounded,
    unbounded,
    'Ajv has changed how validators collect errors: they would be unbounded'
  )
  return bounded.includes('joinErrors(')
    ? `const joinErrors = require(${JSON.stringify(runtimeModule)}).joinErrors;\n${bounded}`
    : bounded
}

/** Anything else that adds to the list of errors. */
const unbounded = /vErrors\.concat|vErrors = \[(?!\])|(?<!length < \d+\) )vErrors\.push|\.\.\.vErrors/
