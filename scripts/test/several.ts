/**
 * Runs the files in the variable TEST_FILES in one process, one after another, each as a subtest: Node, tap and the code
 * under test are loaded once. Each file gets its subtest in place of the root of tap.
 */
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import root, { type Test } from 'tap'
import { commentOf, effortFromHere } from './effort.ts'

const { TEST_FILES: files = '' } = process.env
delete process.env['TEST_FILES']
const scheme = 'tap-of:'
const tests = new Map<string, Test>()
Object.assign(globalThis, { testOf: (url: string) => tests.get(url) })

registerHooks({
  resolve: (name, context, next) =>
    name === 'tap' && tests.has(context.parentURL ?? '')
      ? { url: scheme + context.parentURL, format: 'module', shortCircuit: true }
      : next(name, context),
  load: (url, context, next) =>
    url.startsWith(scheme)
      ? { source: moduleOf(url.slice(scheme.length)), format: 'module', shortCircuit: true }
      : next(url, context)
})

const moduleOf = (url: string) => `const t = testOf(${JSON.stringify(url)})
export default t
export const test = t.test.bind(t)`

const folderOf = (file: string) => resolve('.tap/fixtures', file.replaceAll('/', '-'))

// Modules that the files import use the root of tap. Other processes with several files run at the same time.
root.testdirName = folderOf(`several-${files.split('\n')[0]}`)
for (const file of files.split('\n')) {
  const { href } = pathToFileURL(resolve(file))
  const effort = effortFromHere()
  await root.test(file, (t) => {
    tests.set(href, t)
    // The folder of a file that runs alone; sockets have no longer path.
    t.testdirName = folderOf(file)
    return import(href)
  })
  // As tap does after the last test of a process.
  root.comment(tests.get(href)?.counts.toJSON())
  root.comment(commentOf(effort()).slice(2))
}
