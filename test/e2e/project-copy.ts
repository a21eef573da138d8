/** A copy of the project to run commands and edit files in; the installed packages are shared. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { Mistake, readCommandLine } from '../../src/cli/command-line.ts'
import type { Paint } from '../../src/cli/format.ts'
import { runGenerate } from '../../src/compiler/command/generate/run.ts'
import { grammar, readOptions } from '../../src/compiler/command/generate.ts'
import { linkPackages } from '../link-packages.ts'
import { keptVerdict, textsDigest } from '../type-verdicts.ts'

const plain: Paint = (_style, text) => text
const project = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

export interface Outcome {
  readonly code: number
  readonly output: string
}

export interface CopyOptions {
  /**
   * True to include the tests, the benchmarks, the documents, and the commands that read them; the type checker then
   * has three times as much to do.
   */
  readonly isWhole?: boolean
  /** True to run the compiler of the copy, whose lines do not count as covered. */
  readonly hasOwnCompiler?: boolean
  /** Files for the type checker, as `include` of tsconfig.json; everything by default. */
  readonly checked?: readonly string[]
}

/** The service without the compiler of contracts, whose packages take two thirds of the time of a type check. */
export const serviceOnly = ['src/main.ts', 'src/**/*.d.ts', 'generated/*.ts']

/** Tests that have a copy: each has one folder, which tap creates anew when a test asks again. */
const tests = new WeakSet<Test>()

const onlyInWhole = /^(?:test|bench|docs)\/|^scripts\/(?:bench|coverage|house|mutations|test)\b/

export class ProjectCopy {
  readonly folder: string
  readonly #test: Test
  #isWhole: boolean
  /** Files relative to the project. */
  #files: readonly string[]
  readonly #others: readonly string[]
  #checked: readonly string[] | undefined
  /** Number of type checks so far. */
  #checks = 0

  private constructor(t: Test, all: readonly string[], { isWhole = false, checked }: CopyOptions) {
    this.#test = t
    this.folder = t.testdir()
    this.#isWhole = isWhole
    this.#checked = checked
    this.#files = all.filter((file) => isWhole || !onlyInWhole.test(file))
    this.#others = all.filter((file) => !isWhole && onlyInWhole.test(file))
  }

  /** @throws when this test already has a copy */
  static async make(t: Test, options: CopyOptions = {}): Promise<ProjectCopy> {
    if (tests.has(t)) throw new Error(`${t.name} has a copy of the project already`)
    tests.add(t)
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: project
    })
    const all = stdout.split('\n').filter((file) => file !== '')
    const copy = new ProjectCopy(t, all, options)
    linkPackages(copy.folder)
    if (options.hasOwnCompiler !== true) lendCompiler(copy.folder)
    await copy.#add(copy.#files)
    return copy
  }

  async #add(files: readonly string[]): Promise<void> {
    for (const parent of new Set(files.map((file) => dirname(join(this.folder, file)))))
      mkdirSync(parent, { recursive: true })
    await Promise.all(
      files.map((file) => copyFile(join(project, file), join(this.folder, file)).catch(ignoreMissing))
    )
    if (this.#checked !== undefined) await this.checkOnly(this.#checked)
  }

  /** Sets the files for the type checker. */
  async checkOnly(include: readonly string[]): Promise<void> {
    this.#checked = include
    const settings = JSON.parse(await this.read('tsconfig.json'))
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ ...settings, include }))
  }

  /** Adds the files for `isWhole`, and tap's plugins, which `npm test` builds if they are missing. */
  async complete(): Promise<void> {
    if (this.#isWhole) return
    await mkdir(join(this.folder, '.tap'))
    await symlink(join(project, '.tap/plugins'), join(this.folder, '.tap/plugins'))
    this.#isWhole = true
    this.#files = [...this.#files, ...this.#others]
    await this.#add(this.#others)
  }

  /** Restores the initial files. */
  async reset(): Promise<void> {
    // The link to the installed packages stays, because its target is shared.
    for (const name of readdirSync(this.folder))
      if (name !== 'node_modules') rmSync(join(this.folder, name), { recursive: true })
    await this.#add(this.#files)
  }

  /** Runs the command `generate` on the copy in this process, where the compiler stays loaded. */
  async generate(...args: readonly string[]): Promise<Outcome> {
    const folder = process.cwd()
    process.chdir(this.folder)
    try {
      const options = readOptions(readCommandLine(args, grammar))
      const paints = { output: plain, errors: plain }
      const { exitCode, output, errors } = await runGenerate(options, { paints })
      return { code: exitCode, output: errors + output }
    } catch (error) {
      if (error instanceof Mistake) return { code: error.exitCode, output: `${error.message}\n` }
      throw error
    } finally {
      process.chdir(folder)
    }
  }

  /** Writes in one step, as editors do, so that a watcher never reads half a file. */
  async edit(file: string, change: (text: string) => string): Promise<void> {
    const path = join(this.folder, file)
    const text = readFileSync(path, 'utf8')
    const changed = change(text)
    if (changed === text) throw new Error(`nothing to change in ${file}`)
    writeFileSync(path, changed)
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8')
  }

  /**
   * Checks the types, unless this check of the test has seen the same texts before.
   * @returns the output of the type checker, empty without an error
   */
  async checkTypes(): Promise<string> {
    const name = `${this.folder} ${++this.#checks}`
    return keptVerdict(name, textsDigest(this.folder), () => this.#runTypeChecker())
  }

  /**
   * Runs the type checker. It starts from the results of an earlier copy or of `npm run typecheck`, whose keys are file
   * texts and relative paths; all copies are equally deep in the project.
   */
  async #runTypeChecker(): Promise<string> {
    const cache = join(project, 'node_modules/.cache')
    const files = this.#checked?.join(' ').replaceAll(/\W+/g, '-') ?? (this.#isWhole ? 'whole' : 'slim')
    const shared = join(cache, `copy-${files}.tsbuildinfo`)
    const own = join(this.folder, 'types.tsbuildinfo')
    await copyFile(existsSync(shared) ? shared : join(cache, 'typecheck.tsbuildinfo'), own).catch(
      ignoreMissing
    )
    const tsc =
      'node node_modules/typescript-7/bin/tsc --noEmit --incremental --tsBuildInfoFile types.tsbuildinfo'
    const { code, output } = await this.run(tsc)
    // Silent for another reason than types that are right, such as a signal.
    if (code !== 0 && output === '') throw new Error(`the type checker ended with ${code}`)
    await mkdir(cache, { recursive: true })
    await copyFile(own, `${shared}.${process.pid}`)
    await rename(`${shared}.${process.pid}`, shared)
    return output
  }

  /**
   * Runs a command of package.json without npm, which takes longer to start than most commands, and `generate` in this
   * process.
   */
  async runScript(line: string, environment: Record<string, string> = {}): Promise<Outcome> {
    const [, options] = /^npm run (?:--silent )?generate(?: --((?: [\w-]+)+))?$/.exec(line) ?? ['', line]
    if (options !== line) return this.generate(...(options?.trim().split(' ') ?? []))
    const { scripts } = JSON.parse(await this.read('package.json')) as { scripts: Record<string, string> }
    const direct = line.replaceAll(
      /\bnpm run (?:--silent )?([\w:]+)(?: --(?= ))?/g,
      (_, name: string) => scripts[name] ?? `no script ${name}`
    )
    return this.run(direct, environment)
  }

  /** Runs a command line to its end. */
  async run(line: string, environment: Record<string, string> = {}): Promise<Outcome> {
    const child = this.#spawn(line, environment)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += text
      })
    }
    const [code] = await once(child, 'close')
    return { code: code ?? 1, output }
  }

  /** Starts a command line and waits until its output matches. The end of the test ends it. */
  async start(
    line: string,
    until: RegExp,
    environment: Record<string, string> = {}
  ): Promise<{ child: ChildProcess; output: string }> {
    const child = this.#spawn(line, environment)
    const exited = once(child, 'close')
    this.#test.teardown(async () => {
      endGroup(child)
      await exited
    })
    let output = ''
    await new Promise<void>((done, fail) => {
      const onData = (text: Buffer) => {
        output += text
        if (until.test(output)) done()
      }
      child.stdout?.on('data', onData)
      child.stderr?.on('data', onData)
      exited.then(() => fail(new Error(`${line} ended: ${output}`)))
    })
    return { child, output }
  }

  /** Starts a process group, because npm forwards signals to the shell of a script, not to its command. */
  #spawn(line: string, environment: Record<string, string>): ChildProcess {
    const { AUTH_TOKENS: _tokens, NODE_ENV: _mode, ...inherited } = process.env
    const env = { ...inherited, PORT: '0', ...environment }
    return spawn('sh', ['-c', line], {
      cwd: this.folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe']
    })
  }
}

/** Ends the command and every process that it has started. */
export function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Links the compiler of this project, so that its lines count as covered. */
function lendCompiler(folder: string): void {
  const link = join(folder, 'node_modules/@contract-first/compiler')
  rmSync(link)
  symlinkSync(join(project, 'src/compiler'), link)
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
