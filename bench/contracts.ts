/** The commands of the compiler on a large contract, against openapi-typescript, which writes types only. Linux only. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { largeContract } from '../test/contracts/large-contract.ts'
import { linkPackages } from '../test/link-packages.ts'
import { median } from './measure.ts'
import { atMost, heading, information } from './report.ts'
import type { Plan } from './sqlite.ts'

const typesOnly = resolve('node_modules/openapi-typescript/bin/cli.js')
/** Operations of the contract that is made where the variable CONTRACT names none. */
const operations = 1_200

interface Run {
  /** CPU time in seconds, of its child processes, too. */
  readonly cpu: number
  readonly seconds: number
  /** Peak of the resident memory in MB. */
  readonly memory: number
}

export async function benchContracts({ folder, rounds }: Plan): Promise<void> {
  heading('The contract of this project')
  const saves = await saveTimes(join(folder, 'project'))
  atMost('time from a save under npm run dev to the first answer, in s', median(saves), 0.3)
  const [contract, base, out] = [join(folder, 'new.json'), join(folder, 'old.json'), join(folder, 'out')]
  const given = process.env['CONTRACT']
  const document =
    given === undefined ? largeContract({ operations }) : JSON.parse(readFileSync(given, 'utf8'))
  save(base, document, document.info.description)
  save(contract, document, 'of the bench')
  const generate = ['scripts/generate.ts', '--contract', contract, '--out', out]
  const measured = Array.from({ length: rounds }, () => ({
    // The rules of redocly.yaml here would end it before it writes a type.
    types: run([typesOnly, contract, '-o', join(folder, 'types.ts')], folder),
    cold: coldRun(generate),
    again: run(generate),
    diff: run(['scripts/contract-diff.ts', base, '--contract', contract])
  }))
  const cpu = (name: 'types' | 'cold' | 'diff') => median(measured.map((each) => each[name].cpu))
  heading(`A contract of ${(statSync(contract).size / 1e6).toFixed(1)} MB`)
  information('CPU of openapi-typescript alone, in s', cpu('types'))
  atMost('CPU of a cold compile, against it', cpu('cold') / cpu('types'), 2)
  const size = globSync(join(out, '*')).reduce((sum, file) => sum + statSync(file).size, 0)
  atMost('generated code, against the contract', size / statSync(contract).size, 1.3)
  information('memory of the compile in MB', median(measured.map(({ cold }) => cold.memory)))
  atMost('CPU of contract:diff in s', cpu('diff'), 2.5)
  const again = median(measured.map((each) => each.again.seconds))
  atMost('time of generate when nothing has changed, in s', again, 0.4)
  const edits = await editTimes([...generate, '--watch'], out, (edit) =>
    save(contract, document, `edit ${edit}`)
  )
  const types = median(measured.map((each) => each.types.seconds))
  atMost('time of an edit under --watch, against a cold openapi-typescript', median(edits) / types, 0.5)
  const starts = await Array.fromAsync({ length: rounds }, () => mockStart(contract))
  atMost('time from npm run mock to its first answer, in s', median(starts), 2)
}

const save = (file: string, document: { info: object }, description: string): void =>
  writeFileSync(file, JSON.stringify({ ...document, info: { ...document.info, description } }, null, 2))

/** Runs the generator without its record of the last compilation. */
function coldRun(generate: readonly string[]): Run {
  rmSync('node_modules/.cache/generate', { recursive: true, force: true })
  return run(generate)
}

/** @throws {Error} for a command that fails */
function run(command: readonly string[], cwd = '.'): Run {
  const peak = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))'
  const node = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(peak)}`]
  const timed = ['-c', 'TIMEFORMAT="cpu %U %S"; time "$@"', 'bash', ...node, ...command]
  const began = performance.now()
  const { status, stderr } = spawnSync('bash', timed, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const seconds = (performance.now() - began) / 1000
  if (status !== 0) throw new Error(`${command.join(' ')} failed: ${stderr.slice(-500)}`)
  const [, user, system] = /cpu (\S+) (\S+)\n$/.exec(stderr) ?? []
  return {
    cpu: Number(user) + Number(system),
    seconds,
    memory: Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024
  }
}

/** Returns the seconds from each save to the written code, whose last file is contract.ts. */
async function editTimes(
  command: readonly string[],
  out: string,
  edit: (number: number) => void
): Promise<number[]> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const seconds: number[] = []
  const writtenAt = () => statSync(join(out, 'contract.ts')).mtimeMs
  await printed(child, /waiting/)
  for (let number = 0; number < 5; number++) {
    const [ended, before, began] = [printed(child, /waiting/), writtenAt(), performance.now()]
    edit(number)
    while (writtenAt() === before) await sleep(5)
    seconds.push((performance.now() - began) / 1000)
    await ended
  }
  child.kill()
  return seconds
}

/** Returns the seconds from each save of the contract to the first answer of the server that has it. */
async function saveTimes(copy: string): Promise<number[]> {
  mkdirSync(copy)
  linkPackages(copy)
  for (const name of ['generated', 'openapi.yaml', 'package.json', 'scripts', 'src', 'tsconfig.json'])
    cpSync(name, join(copy, name), { recursive: true })
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: copy,
    env: { ...process.env, PORT: '0' }
  })
  const [, origin] = await printed(child, /service +(\S+)/)
  await printed(child, /types are/)
  const contract = join(copy, 'openapi.yaml')
  const original = readFileSync(contract, 'utf8')
  const seconds: number[] = []
  for (let number = 0; number < 7; number++) {
    const checked = printed(child, /types are/)
    const began = performance.now()
    const text = original.replace(/( +)examples: \[Monstera deliciosa\]/, `$&\n$1maxLength: ${200 + number}`)
    writeFileSync(contract, text)
    while ((await textAt(`${origin}/openapi.yaml`)) !== text) await sleep(10)
    seconds.push((performance.now() - began) / 1000)
    await checked
    await sleep(1_000)
  }
  child.kill()
  return seconds
}

/** Returns an empty text while no server has the port. */
const textAt = (url: string): Promise<string> =>
  fetch(url).then(
    (response) => response.text(),
    () => ''
  )

async function mockStart(contract: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['scripts/mock.ts', '--contract', contract, '--port', '0'])
  const [, origin] = await printed(child, /(http:\/\/127\.0\.0\.1:\d+)/)
  await fetch(String(origin))
  const seconds = (performance.now() - began) / 1000
  child.kill()
  return seconds
}

/** Waits until the output of a process has the text. */
async function printed({ stdout, stderr }: ChildProcess, text: RegExp): Promise<RegExpExecArray> {
  let seen = ''
  for (;;) {
    const other = new AbortController()
    const streams = [stdout, stderr] as readonly NonNullable<typeof stdout>[]
    const [piece] = await Promise.race(
      streams.map((stream) => once(stream, 'data', { signal: other.signal }))
    )
    other.abort()
    seen += piece
    const found = text.exec(seen)
    if (found !== null) return found
  }
}
