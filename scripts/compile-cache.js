/**
 * Keeps compiled code between starts, for `node --import`. Written in JavaScript because Node would otherwise load its compiler
 * of TypeScript before the cache is open. A user who can write to the folder can write to the packages
 * beside it, too.
 */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

const { directory } = enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compile'))
// For the threads.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
