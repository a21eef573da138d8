/**
 * Command of `npm start`: `node src/main.ts` with Node's compile cache. Written in JavaScript, so that a Node that is too
 * old can read it, and so that the cache also holds what Node makes of TypeScript. The cache is as safe as the packages
 * beside it: the same users can write to both.
 */
import './check-node.js'
import module from 'node:module'
import { resolve } from 'node:path'

if (process.exitCode === undefined) {
  const project = resolve(import.meta.dirname, '..')
  // Threads read the variable, too.
  process.env.NODE_COMPILE_CACHE ??= resolve(project, 'node_modules/.cache/compile')
  module.enableCompileCache()
  process.argv[1] = resolve(project, 'src/main.ts')
  await import('../src/main.ts')
}
