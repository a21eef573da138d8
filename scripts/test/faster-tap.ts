/**
 * Loaded into each test file, for `node --import`. tap then traces no promise, and comes from the bundle where there is one.
 * tap follows each asynchronous operation of the process to find the test that an uncaught error belongs to, which takes 15 to
 * 25 % of the processor time. Here such an error fails the file, and is printed with its stack, but without the name of the test.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { registerHooks, syncBuiltinESMExports } from 'node:module'

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
