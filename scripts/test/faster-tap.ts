/**
 * Makes tap faster in a test file, by `node --import`: disables its tracing of promises, and loads it from the bundle
 * if there is one. tap traces each asynchronous operation to find the test of an uncaught error, which takes 15 to 25 %
 * of the CPU time. Without tracing, such an error still fails the file and is printed with its stack, but not with the
 * name of the test.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { commentOf, effortFromHere, listPrograms } from './effort.ts'

const inactive: AsyncHook = { enable: () => inactive, disable: () => inactive }
asyncHooks.createHook = () => inactive
syncBuiltinESMExports()

const url = process.env['TAP_BUNDLE']
if (url !== undefined) {
  delete process.env['TAP_BUNDLE']
  registerHooks({
    resolve: (name, context, next) =>
      name === 'tap' ? { url, format: 'module', shortCircuit: true } : next(name, context)
  })
}

listPrograms()
// several.ts reports the effort of each of its files.
if (isMainThread && process.env['TEST_FILES'] === undefined) {
  const effort = effortFromHere()
  process.on('exit', () => writeSync(1, `${commentOf(effort())}\n`))
}
