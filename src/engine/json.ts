/** Door of JSON with exact numbers: texts to values and back. */
export { spelledNumber } from './json/decimal.ts'
export { parseExactJson } from './json/parse.ts'
export { restoreInt64 } from './json/restore-int64.ts'
export { isSameValue } from './json/same-value.ts'
export { stringify } from './json/stringify.ts'
