/** Checks the version of Node, so that one that is too old ends with a sentence instead of a stack. */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [oldest, tooNew] = engines.node.match(/\d+/g).map(Number)
const version = process.versions.node
const major = Number.parseInt(version, 10)

if (major < oldest) {
  console.error(
    `needs Node ${oldest} or newer, this is ${version}: install one, or run "npm ci", which brings its own`
  )
  process.exitCode = 1
} else if (major >= tooNew) {
  console.error(`this is Node ${version}; the tests run on Node ${oldest} to ${tooNew - 1}`)
}
