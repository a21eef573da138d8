/** Entry point of JSON with exact numbers: texts to values and back. */
export { asRead } from './json/exact-json.ts'
export { isSameValue, stringify } from './json/exact-values.ts'
export { parseExactJson } from './json/parse.ts'
export { escapePointer, unescapePointer } from './json/pointer.ts'
export { restoreInt64 } from './json/restore-int64.ts'
