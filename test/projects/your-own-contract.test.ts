/** Carries out every step of docs/your-own-contract.md, with the packages installed from tarballs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import t, { type Test } from 'tap'
import { patternOf, type Step, stepsOf } from '../docs/tutorial.ts'
import { environment, shell } from './shell.ts'

t.setTimeout(900_000)

/** Folder that holds the contract and the project: `../` in the page. */
const beside = await mkdtemp(join(tmpdir(), 'own-contract-'))
let folder = resolve(import.meta.dirname, '../..')
let service: ChildProcess | undefined
let url = ''

t.teardown(() => rm(beside, { recursive: true, force: true }))

t.test('every step of the page has the output that it prints', async (t) => {
  t.teardown(() => stop())
  const steps = stepsOf(await readFile('docs/your-own-contract.md', 'utf8'))
  t.equal(steps.filter(({ kind }) => kind === 'file').length, 5)
  for (const step of steps) await follow(t, step)
})

async function follow(t: Test, step: Step): Promise<void> {
  if (step.kind === 'file')
    return writeFile(join(step.file.endsWith('.yaml') ? beside : folder, step.file), step.text)
  if (step.kind !== 'command') throw new Error(`the page has no step of the kind ${step.kind}`)
  const { command, output } = step
  if (command.startsWith('cd ')) folder = here(command.slice(3))
  else t.match(await outputOf(command), patternOf(output), command)
}

async function outputOf(command: string): Promise<string> {
  if (command === 'npm start') return start()
  const line = command.replace(/^curl /, 'curl --silent ').replace(/^npm ci$/, 'npm ci --prefer-offline')
  const { code, output } = await shell(here(line), { folder })
  if (code !== 0) throw new Error(`${command} exits ${code}: ${output}`)
  // For a clone in the same folder, a command prints a relative path.
  const paths = [`${beside}/`, `${relative(folder, beside)}/`]
  const placed = paths.reduce((text, path) => text.replaceAll(path, '../'), output)
  return placed.replaceAll(/^(> |npm warn|npm notice).*\n/gm, '')
}

const here = (text: string): string =>
  text.replaceAll('../', `${beside}/`).replaceAll('http://127.0.0.1:3000', url)

/** Starts the service on a free port, and returns its output until then. */
async function start(): Promise<string> {
  await stop()
  const env = { ...environment(), PORT: '0' }
  service = spawn('npm', ['start'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let output = ''
  for await (const chunk of service.stdout ?? []) {
    output += stripVTControlCharacters(String(chunk))
    const [, found] = / {2}service {2}(\S+)\n[\s\S]*\n/.exec(output) ?? []
    if (found !== undefined && /\ncurl .*\n/.test(output)) {
      url = found
      break
    }
  }
  return output.replaceAll(url, 'http://127.0.0.1:3000')
}

/** Ends the service as Ctrl-C does: npm and its children. */
async function stop(): Promise<void> {
  const { pid, exitCode } = service ?? {}
  if (service === undefined || pid === undefined || exitCode !== null) return
  process.kill(-pid, 'SIGINT')
  await once(service, 'exit')
}
