/** Runs, writes or compares every fenced block of the README, from top to bottom, in a copy of the project. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { patternOf } from '../docs/tutorial.ts'
import { breakSecurity } from '../scripts/contract-edits.ts'
import { ProjectCopy } from './project-copy.ts'

t.setTimeout(900_000)

/** Test in whose place the README runs all of them, and this one. */
const oneTest = 'test/plants/plants.test.ts'

interface Block {
  readonly language: string
  readonly text: string
  /** Text between the previous block and this one. */
  readonly before: string
}

function blocksOf(markdown: string): Block[] {
  const parts = markdown.split(/^```(.*)\n([\s\S]*?)^```$/m)
  return parts.flatMap((part, index) =>
    index % 3 === 1 ? [{ language: part, text: parts[index + 1] ?? '', before: parts[index - 1] ?? '' }] : []
  )
}

const copy = await ProjectCopy.make(t, { isWhole: true })
const readme = await readFile('README.md', 'utf8')
// Without the folder, `npm test` would build the plugins of tap, which takes seconds.
await mkdir(join(copy.folder, '.tap/plugins'), { recursive: true })

/** URLs in the README, and the URLs of the servers that this test has started. */
const servers = new Map<string, string>()
/** Output of `npm start`. */
let started = ''
let token = ''
let answer = ''
let typeErrors = 'not checked'

const here = (line: string) =>
  [...servers].reduce((text, [written, actual]) => text.replaceAll(written, actual), line)
/** Removes npm's warnings, which are about the machine. */
const ours = (output: string) => output.replaceAll(/^(npm warn|npm notice).*\n/gm, '')

async function startStore(): Promise<void> {
  started = (await copy.start('npm start', /curl .*\n/)).output
  servers.set('http://127.0.0.1:3000', /service +(\S+)/.exec(started)?.[1] ?? '')
  token = /token +(\S+)/.exec(started)?.[1] ?? ''
}

async function startPets(command: string): Promise<void> {
  const file = await copy.read('pets.ts')
  await writeFile(join(copy.folder, 'pets.ts'), file.replace('port: 3001', 'port: 0'))
  const { output } = await copy.start(command, /http:\S+\n/)
  servers.set('http://127.0.0.1:3001', output.trim())
}

/** Runs a block without the `npm ci` before it: the packages are installed. */
async function shell(t: Test, block: string): Promise<void> {
  const text = block.replace(/^npm ci && /, '')
  if (text === 'npm start\n') return startStore()
  if (text.startsWith('curl '))
    t.ok(started.includes(here(text).replace('$TOKEN', token)), 'npm start prints the line')
  const given = text.replace('curl ', 'curl --silent ').replace('npm test', `npm test -- ${oneTest}`)
  const { code, output } = await copy.run(here(given), { TOKEN: token })
  t.equal(code, 0, code === 0 ? text : `${text}${output}`)
  answer = ours(output)
}

async function consoleOf(t: Test, text: string): Promise<void> {
  for (const [, command = '', output = ''] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
    if (output === 'http://127.0.0.1:3001\n') {
      await startPets(command)
      continue
    }
    if (output.includes('scheme bearer')) await copy.edit('openapi.yaml', breakSecurity)
    const shown = await copy.run(here(command))
    t.match(ours(shown.output).trim(), patternOf(output), command)
    t.equal(shown.code, output.includes('one error') ? 1 : 0, command)
    if (output.includes('scheme bearer'))
      await copy.edit('openapi.yaml', (contract) => contract.replace('  - bearer: []', '  - bearerAuth: []'))
  }
}

async function file(block: Block): Promise<void> {
  const name = /`(pets\.\w+)`/.exec(block.before)?.[1] ?? 'nowhere'
  await writeFile(join(copy.folder, name), block.text)
}

t.test('every block of the README is true', async (t) => {
  for (const block of blocksOf(readme)) {
    if (block.language === 'sh') await shell(t, block.text)
    else if (block.language === 'json') t.equal(`${answer.trim()}\n`, block.text)
    else if (block.language === 'console') await consoleOf(t, block.text)
    else if (block.language === 'yaml') await file(block)
    else if (block.language === 'ts') {
      await file(block)
      await writeFile(join(copy.folder, 'wrong.ts'), block.text.replace("name: 'Rex'", 'name: 1'))
      await copy.checkOnly(['pets.ts', 'wrong.ts'])
      typeErrors = await copy.checkTypes()
      t.notMatch(typeErrors, 'pets.ts', 'pets.ts compiles')
    } else t.fail(`no test carries out a block of ${block.language}`)
  }
  t.equal(servers.size, 2, 'both servers have run')
  t.ok(existsSync(join(copy.folder, 'data/plants.db')), 'plants are stored where the README says')
  t.equal((await fetch(here('http://127.0.0.1:3000/docs'))).status, 200)
})

t.test('pets.ts with a handler that does not fit would not compile', async (t) => {
  t.match(typeErrors, /^wrong\.ts\(\d+,\d+\): error TS2322/)
})

/**
 * Further commands. generate.test.ts runs `generate --check`, and .ci/run also `typecheck`, `lint`, a benchmark and
 * mutations.
 */
const others: readonly [command: string, says: RegExp][] = [
  ['npm run --silent environment', /^nothing has changed\n$/],
  ['npm run --silent docs:page', /^nothing has changed\n$/],
  ['npm run --silent lint -- --vcs-enabled=false src/plants', /Checked \d+ files/]
]

t.test('the other commands of the README', async (t) => {
  const fresh = await ProjectCopy.make(t, { isWhole: true })
  for (const [command, says] of others) {
    const { code, output } = await fresh.runScript(command)
    t.equal(code, 0, command)
    t.match(ours(output), says, command)
  }
})
