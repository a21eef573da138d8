/** The real process, started as `npm start` does, with its own folder and environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { variables } from '../../src/service/config/variables.ts'

export type Environment = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  /** Returns its whole output, standard error included. */
  readonly output: string
}

export interface Running {
  readonly child: ChildProcess
  /** URL without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly output: () => string
  /** Returns the lines of the log. */
  readonly log: () => readonly Record<string, unknown>[]
  readonly ended: Promise<Ended>
}

export const token = 'hunter2'

const main = new URL('../../src/main.ts', import.meta.url).pathname

/** Preload that writes the coverage of a process that `execve` ends, which Node does in `process.exit` only. */
const covering = `--import=data:text/javascript,${encodeURIComponent(
  `import { takeCoverage } from 'node:v8'
  const { execve } = process
  process.execve = (...given) => (takeCoverage(), execve(...given))`
)}`
const preloads = process.env['NODE_V8_COVERAGE'] ? [covering] : []

export function run(t: Test, environment: Environment = {}, args: readonly string[] = [], entry = main) {
  const others = Object.entries(process.env).filter(
    ([name]) => !Object.values(variables).some((each) => each.name === name)
  )
  const child = spawn(process.execPath, [...preloads, entry, ...args], {
    cwd: environment['CWD'] ?? t.testdir({}),
    env: { ...Object.fromEntries(others), ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data))
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, output: text }))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(3_000, undefined, { ref: false })])
    child.kill('SIGKILL')
  })
  return { child, ended, output: () => text }
}

/**
 * Returns when the service listens.
 * @throws {Error} with its output when it ends before
 */
export async function start(t: Test, environment: Environment = {}): Promise<Running> {
  const running = run(t, { PORT: '0', AUTH_TOKENS: token, ...environment })
  const url = await Promise.race([
    seen(running.output, /listening at (http:\S+?)"/),
    running.ended.then(({ output }) => Promise.reject(new Error(output)))
  ])
  const log = () => lines(running.output())
  return { ...running, url, port: Number(new URL(url).port), log }
}

const lines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** Ends the process; returns its exit code, or the name of the signal that has ended it. */
export async function end(
  { child, ended }: Running,
  signal: NodeJS.Signals
): Promise<number | string | null> {
  child.kill(signal)
  const { code, signal: name } = await ended
  return code ?? name
}

/** Waits until the output matches, and returns the first group. */
export async function seen(output: () => string, pattern: RegExp): Promise<string> {
  for (let waited = 0; waited < 120_000; waited += 10) {
    const [, group = ''] = pattern.exec(output()) ?? [undefined, undefined]
    if (pattern.test(output())) return group
    await sleep(10)
  }
  throw new Error(`never seen: ${pattern} in ${output()}`)
}

/** Runs a command line at a terminal; its end is that of the test. */
export function inTerminal(t: Test, line: string, cwd: string, environment: Environment) {
  const { PATH, HOME, NODE_COMPILE_CACHE = '', NODE_V8_COVERAGE = '' } = process.env
  const terminal = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_V8_COVERAGE, TERM: 'xterm', ...environment },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  t.teardown(() => terminal.kill('SIGKILL'))
  return terminal
}

/** Sends a request; repeats it when the service sheds it, as it does on a stalled machine. */
export async function unshed(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || !/overloaded/.test(await answer.clone().text())) return answer
    await answer.body?.cancel()
    await sleep(50)
  }
}

/** @param plant text of a body, for an id beyond 2^53 */
export function create(url: string, plant: object | string, headers: Environment = {}): Promise<Response> {
  return unshed(() => createOnce(url, plant, headers))
}

export function createOnce(
  url: string,
  plant: object | string,
  headers: Environment = {}
): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof plant === 'string' ? plant : JSON.stringify(plant)
  })
}
