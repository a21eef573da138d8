/**
 * `npm run bench:peers`: sends the same requests to this and other tools that serve a contract. Each is set up as its
 * README says, with error handlers that write the contract's Error. The README prints the answers. The packages are
 * installed into a temporary folder.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, Mistake, toOutput } from '@contract-first/service/command/command'
import { formatRows } from '@contract-first/service/terminal/format'
import { questions } from './peers/questions.js'
import { tools } from './peers/tools.js'

const versions = {
  'fastify-openapi-glue': '4.11.4',
  fastify: '5.12.8',
  'openapi-backend': '5.21.2',
  'express-openapi-validator': '5.6.2',
  express: '5.3.0'
}
const usage = `usage: npm run bench:peers

  Asks this and other tools the same questions. Needs the npm registry, and installs the tools into a temporary folder.`

await command({ usage }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'))
  try {
    install(folder)
    const require = createRequire(join(folder, 'index.js'))
    await ask(tools((name) => import(require.resolve(name))))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function install(folder) {
  const packages = Object.entries(versions).map((pair) => pair.join('@'))
  console.log(toOutput('dim', packages.join(' ')))
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--silent']
  const { status } = spawnSync('npm', ['install', ...options, ...packages], { stdio: 'inherit' })
  if (status !== 0) throw new Mistake(['the packages could not be installed: is the npm registry reached?'])
}

async function ask(those) {
  process.on('uncaughtException', ({ message }) => console.error(`uncaught: ${message}`))
  for (const [question, answer] of Object.entries(questions)) {
    console.log(`\n${toOutput('bold', question)}\n`)
    const rows = []
    for (const [name, start] of Object.entries(those)) rows.push([name, await answer(start)])
    console.log(formatRows(rows))
  }
}
