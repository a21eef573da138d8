/**
 * Command of `npm start`: runs the service like `node src/main.ts`, from a compile cache, and from the bundle if there
 * is a fresh one. Written in JavaScript, because Node would otherwise load its TypeScript compiler before the cache is
 * open. The cache is as safe as the packages beside it: the same users can write to both.
 */
import { enableCompileCache, setSourceMapsSupport } from 'node:module'
import { resolve } from 'node:path'
import { freshBundle } from './bundle/fresh-bundle.js'

const project = resolve(import.meta.dirname, '..')
const { directory } = enableCompileCache(resolve(project, 'node_modules/.cache/compile'))
// Environment of the threads.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
process.argv[1] = resolve(project, 'src/main.ts')
const bundle = freshBundle(project)
// Makes stack traces name files and lines of the sources.
if (bundle !== undefined) setSourceMapsSupport(true, { nodeModules: true })
await import(bundle ?? '../src/main.ts')
