/** Ends a start with a sentence where Node is too old to read TypeScript; an old Node can read this file. */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const oldest = Number.parseInt(engines.node.replace(/\D+/, ''), 10)
const version = process.versions.node

if (Number.parseInt(version, 10) < oldest) {
  console.error(
    `needs Node ${oldest} or newer, this is ${version}: install one, or run "npm ci", which brings its own`
  )
  process.exit(1)
}
