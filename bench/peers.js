/**
 * `npm run bench:peers`: the same questions to other tools that serve a contract, each set up as its own README says and with
 * error handlers that write the contract's Error, and to this one. What it prints is the comparison in the README.
 * The packages are installed into a folder for temporary files.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { questions } from './peers/questions.js'
import { tools } from './peers/tools.js'

const versions = {
  'fastify-openapi-glue': '4.11.4',
  fastify: '5.12.8',
  'openapi-backend': '5.21.2',
  'express-openapi-validator': '5.6.2',
  express: '5.3.0'
}
const folder = mkdtempSync(join(tmpdir(), 'peers-'))
const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent']
execFileSync('npm', [...install, ...Object.entries(versions).map((pair) => pair.join('@'))])
const require = createRequire(join(folder, 'index.js'))
const load = (name) => import(require.resolve(name))

process.on('uncaughtException', ({ message }) => console.error(`uncaught: ${message}`))
try {
  console.log(JSON.stringify(versions))
  for (const [question, answer] of Object.entries(questions)) {
    console.log(`\n${question}`)
    for (const [name, start] of Object.entries(tools(load)))
      console.log(`  ${name.padEnd(28)}${await answer(start)}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
