/** Loads TypeScript as CommonJS: an import would search nine megabytes of code for the names of its exports. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const ts: typeof import('typescript') = require('typescript')
