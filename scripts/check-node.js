/** Checks the version of Node, so that one that is too old ends with a sentence instead of a stack. */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const minVersion = Number(/\d+/.exec(engines.node)[0])

if (Number.parseInt(process.versions.node, 10) < minVersion) {
  console.error(
    `needs Node ${minVersion} or newer, this is ${process.versions.node}: install one, or run "npm ci", which brings its own`
  )
  process.exitCode = 1
}
