/** A program that is written with one of the tools, in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const here = import.meta.dirname
const common = ['openapi.yaml', 'tsconfig.json', 'notes.ts']
const commandTimeoutMs = 180_000
const startTimeoutMs = 20_000

export class Program {
  /** Bytes that the tool writes. */
  written = 0
  /** Lines that a person writes, without blank ones and those of the store. */
  lines = 0
  #folder
  #tool

  constructor(folder, tool) {
    this.#folder = folder
    this.#tool = tool
  }

  /** Installs the packages, generates, and completes what was generated. */
  static create(folder, name, tool) {
    const program = new Program(folder, tool)
    mkdirSync(folder)
    program.write('package.json', '{ "private": true, "type": "module" }')
    for (const [flag, packages] of [
      ['--save', tool.packages],
      ['--save-dev', tool.developmentPackages]
    ])
      program.#run(['npm', 'install', flag, '--no-audit', '--no-fund', '--silent', ...packages])
    cpSync(join(here, name), folder, { recursive: true })
    renameSync(join(folder, 'src/program.ts'), join(folder, 'src/main.ts'))
    program.lines = program.#files().reduce((sum, file) => sum + linesOf(program.read(file)), 0)
    for (const file of common)
      cpSync(join(here, file), join(folder, file === 'notes.ts' ? 'src/notes.ts' : file))
    const before = new Set(program.#files())
    program.generate()
    for (const file of program.#files())
      if (!before.has(file)) program.written += statSync(join(folder, file)).size
    for (const [operation, expression] of Object.entries(tool.fill ?? {}))
      program.#fill(operation, expression)
    return program
  }

  /** Returns a copy in another folder, which uses the installed packages of this one. */
  copy(folder) {
    cpSync(this.#folder, folder, { recursive: true, filter: (source) => !source.endsWith('node_modules') })
    symlinkSync(join(this.#folder, 'node_modules'), join(folder, 'node_modules'))
    return new Program(folder, this.#tool)
  }

  read(file) {
    return readFileSync(join(this.#folder, file), 'utf8')
  }

  write(file, text) {
    writeFileSync(join(this.#folder, file), text)
  }

  /** Replaces text in a file. */
  edit([file, text, replacement]) {
    const before = this.read(file)
    const after = before.replaceAll(typeof text === 'string' ? text : new RegExp(text, 'g'), replacement)
    if (after === before) throw new Error(`${text} is not in ${file}`)
    this.write(file, after)
  }

  generate() {
    if (this.#tool.generate) this.#run(this.#tool.generate)
  }

  /** Returns true when the types agree. */
  compiles() {
    return this.#spawnSync(['tsc', '-p', '.']).status === 0
  }

  /** Starts the server; undefined when it ends before it listens. */
  start() {
    return this.#listen([[...this.#tool.node, 'src/main.ts']])
  }

  /** Starts what a developer of the tool keeps running. */
  watch() {
    return this.#listen(this.#tool.watch)
  }

  /** Returns the size of the packages in production in bytes. */
  productionSize() {
    this.#run(['npm', 'prune', '--omit=dev', '--no-audit', '--no-fund', '--silent'])
    const packages = join(this.#folder, 'node_modules')
    const files = readdirSync(packages, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile()
    )
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  }

  #fill(operation, expression) {
    const file = `src/handlers/${operation}.ts`
    this.edit([file, /\{\s*\},\n\)/, `{\n    return ${expression}\n  },\n)`])
    this.edit([file, 'const factory', "import { found, notes } from '../store'\nconst factory"])
    this.lines += 2
  }

  /** Returns the files without packages and settings of npm and TypeScript. */
  #files() {
    const all = readdirSync(this.#folder, { recursive: true, withFileTypes: true })
    const files = all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
    return files
      .map((file) => file.slice(this.#folder.length + 1))
      .filter((file) => !/^node_modules|^package/.test(file))
  }

  #environment(port) {
    const path = [join(this.#folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']]
    return { ...process.env, PATH: path.join(delimiter), PORT: port }
  }

  #spawnSync([command, ...args]) {
    const options = {
      cwd: this.#folder,
      env: this.#environment(),
      encoding: 'utf8',
      timeout: commandTimeoutMs
    }
    return spawnSync(command, args, options)
  }

  #run(command) {
    const { status, stdout, stderr } = this.#spawnSync(command)
    if (status !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`)
  }

  async #listen(commands) {
    const port = await freePort()
    const options = {
      cwd: this.#folder,
      env: this.#environment(port),
      detached: true,
      stdio: 'ignore'
    }
    const children = commands.map(([command, ...args]) => spawn(command, args, options))
    const stop = async () => {
      const ended = children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'))
      for (const { pid } of children) end(pid)
      await Promise.all(ended)
    }
    for (const { pid } of children) running.add(pid)
    const origin = `http://127.0.0.1:${port}`
    const deadline = performance.now() + startTimeoutMs
    const server = children.at(-1)
    while (server.exitCode === null && performance.now() < deadline) {
      if (await answers(origin)) return { origin, pid: server.pid, stop }
      await sleep(50)
    }
    await stop()
    return undefined
  }
}

const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '').length
const answers = (origin) =>
  fetch(origin)
    .then(({ status }) => status > 0)
    .catch(() => false)

/** Process groups that have not been ended. */
const running = new Set()
process.once('exit', () => running.forEach(end))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Ends the processes of a group. */
function end(pid) {
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // They have ended.
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await once(server.close(), 'close')
  return String(port)
}
