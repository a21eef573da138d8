/**
 * Bounds the errors that generated validators collect. Ajv's collect all of them, and copy what they have for each
 * reference: one megabyte of wrong items would cost gigabytes, or minutes. What is beyond the bound is only counted.
 */
import { fileURLToPath } from 'node:url'

const runtimeModule = fileURLToPath(new URL('../../runtime/validators.ts', import.meta.url))

/** More than a message tells: that there are further ones has to be seen (messages.ts). */
const maxErrors = 1001

const collected =
  /const (err\d+) = (\{[\s\S]*?\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g
const joined =
  /vErrors = vErrors === null \? (\w+(?:\.validate)?)\.errors : vErrors\.concat\(\1\.errors\);\nerrors = vErrors\.length;/g
const cut = /vErrors\.length = (_errs\d+);/g

/** @param code as ajv/dist/standalone writes it, by the line */
export function boundErrors(code: string): string {
  const bounded = code
    .replace(
      collected,
      `if(vErrors === null) vErrors = [];\nif(vErrors.length < ${maxErrors}) vErrors.push($2);`
    )
    .replace(joined, `vErrors = joinErrors(vErrors, $1.errors, ${maxErrors});\nerrors += $1.errors.length;`)
    .replace(cut, 'if(vErrors.length > $1) vErrors.length = $1;')
  // Code of a shape not seen so far stays as Ajv made it: right, and unbounded.
  if (/vErrors\.concat|vErrors = \[err/.test(bounded)) return code
  return bounded.replace(
    '"use strict";',
    `"use strict";\nconst { joinErrors } = require(${JSON.stringify(runtimeModule)});`
  )
}
