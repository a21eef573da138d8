/**
 * The command of `npm start`: runs the service like `node src/main.ts`, from code that an earlier start has compiled, and from the
 * bundle where there is a fresh one. Written in JavaScript because Node would otherwise load its compiler of TypeScript
 * before the cache is open. A user who can write to the folder of the cache can write to the packages beside it, too.
 */
import { enableCompileCache, setSourceMapsSupport } from 'node:module'
import { resolve } from 'node:path'
import { freshBundle } from './bundle/fresh-bundle.js'

const project = resolve(import.meta.dirname, '..')
const { directory } = enableCompileCache(resolve(project, 'node_modules/.cache/compile'))
// For the threads.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
process.argv[1] = resolve(project, 'src/main.ts')
const bundle = freshBundle(project)
// Stack traces name files and lines of the sources.
if (bundle !== undefined) setSourceMapsSupport(true, { nodeModules: true })
await import(bundle ?? '../src/main.ts')
