/**
 * `npm run bench:peers`: sends the same requests to this and other tools that serve a contract. Each is set up as its
 * README says, with error handlers that write the contract's Error. Prints the rows of docs/comparison.md that requests
 * can answer, and with `four` those of edits and figures. The packages are installed into a temporary folder.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, Mistake, toOutput } from '@contract-first/cli/command'
import manifest from '../package.json' with { type: 'json' }
import { askFour } from './peers/four.js'
import { questions } from './peers/questions.js'
import { tools } from './peers/tools.js'

const versions = {
  'fastify-openapi-glue': '4.11.4',
  fastify: '5.12.8',
  'openapi-backend': '5.21.2',
  'express-openapi-validator': '5.6.2',
  express: '5.3.0'
}
const usage = `usage: npm run bench:peers [-- four] [--installed]

  Asks this and other tools the same questions. Needs the npm registry, and installs the tools into a temporary folder.`
const options = {
  four: 'programs of four operations, each written with another tool',
  '--installed': 'asks only this tool and those that are installed with it'
}

await command({ usage, options, words: ['four'] }, async ({ is, words }) => {
  if (words.includes('four')) return askFour(is('installed'))
  if (is('installed')) return ask(installed(tools((name) => import(name))))
  const folder = mkdtempSync(join(tmpdir(), 'peers-'))
  try {
    install(folder)
    const require = createRequire(join(folder, 'index.js'))
    await ask(tools((name) => import(require.resolve(name))))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function installed(those) {
  const isInstalled = (name) => name === 'here' || Object.hasOwn(manifest.devDependencies, name)
  return Object.fromEntries(Object.entries(those).filter(([name]) => isInstalled(name)))
}

function install(folder) {
  const packages = Object.entries(versions).map((pair) => pair.join('@'))
  console.error(toOutput('dim', packages.join(' ')))
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--silent']
  const { status } = spawnSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Mistake(['the packages could not be installed: is the npm registry reached?'])
}

async function ask(those) {
  process.on('uncaughtException', ({ message }) => console.error(`uncaught: ${message}`))
  const names = Object.keys(those)
  const rowOf = (cells) => console.log(`| ${cells.join(' | ')} |`)
  rowOf(['', ...names.map((name) => (name === 'here' ? name : `${name} ${versions[name]}`))])
  for (const [question, answer] of Object.entries(questions)) {
    const cells = []
    for (const start of Object.values(those)) cells.push(await answer(start))
    rowOf([question, ...cells])
  }
}
