/** The type checker, in a process of its own at a lower priority. The server does not wait for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, copyFileSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ContractProblem } from '../../compiler.ts'

/**
 * Parses `src/app.ts(31,5): error TS2741: Property …`. Each indented line explains the line before it: the innermost
 * line names the cause, so it becomes the message.
 * @param folder folder that paths in messages are relative to
 */
export function typeProblems(output: string, folder: string): ContractProblem[] {
  return [...output.matchAll(/^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+): (.*(?:\n +.*)*)$/gm)].map(
    ([, name = 'tsconfig.json', line = '1', column = '1', code = '', explanation = '']) => {
      const file = resolve(folder, name)
      const sentence = innermost(explanation)
      const outer = { line: Number(line), column: Number(column) }
      return {
        severity: 'error',
        file,
        ...(strayMember(sentence, file, outer) ?? outer),
        message: `${code}: ${sentence}`
      }
    }
  )
}

function innermost(explanation: string): string {
  const depth = (line: string) => line.length - line.trimStart().length
  const lines = explanation.split('\n')
  return lines.reduce((deepest, line) => (depth(line) >= depth(deepest) ? line : deepest)).trim()
}

type Place = Pick<ContractProblem, 'line' | 'column'>

/**
 * Finds the misnamed member when tsc reports a missing one: tsc points at the whole function of a handler. Returns
 * undefined unless exactly one member can be meant.
 */
function strayMember(sentence: string, file: string, from: Place): Place | undefined {
  const [, given = '', wanted = ''] =
    /^Property .* is missing in type '\{ (.*) \}' but required in type '\{ (.*) \}'/.exec(sentence) ?? []
  const known = new Set(memberNames(wanted))
  const [stray, ...others] = memberNames(given).filter((name) => !known.has(name))
  if (stray === undefined || others.length > 0) return undefined
  const places = placesOf(stray, file).filter(({ line }) => line >= from.line)
  return places.length === 1 ? places[0] : undefined
}

const memberNames = (members: string): string[] =>
  [...members.matchAll(/(?:^|; )([\w$]+)\??: (?!never)/g)].map(([, name = '']) => name)

function placesOf(name: string, file: string): Place[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  return lines.flatMap((text, index) =>
    [...text.matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?=\\s*[:,}])`, 'g'))].map(
      (match) => ({ line: index + 1, column: match.index + 1 })
    )
  )
}

const project = process.cwd()
const modules = resolve(project, 'node_modules')

/** Results of the last run, by project folder, because copies of the project may share their packages. */
const buildInfo = resolve(
  modules,
  `.cache/types-${createHash('sha256').update(project).digest('hex').slice(0, 8)}.tsbuildinfo`
)

/** Results of `npm run typecheck` or of the first check here: the first check of another folder starts from them. */
const firstResults = resolve(modules, '.cache/typecheck.tsbuildinfo')

/**
 * V8 option: a check makes many objects that live until its end, and a larger young generation needs fewer collections.
 */
const roomForYoung = '--max-semi-space-size=64'

function copyOnce(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  } catch {
    return // The source is missing or unreadable: the check starts without earlier results.
  }
}

export class TypeChecker {
  #child: ChildProcess | undefined
  #closed: Promise<unknown[]> | undefined

  /** @returns the errors; undefined when a later check has replaced this one */
  async check(): Promise<readonly ContractProblem[] | undefined> {
    void this.stop()
    copyOnce(firstResults, buildInfo)
    const compiler = resolve(modules, 'typescript/bin/tsc')
    const options = ['--noEmit', '--incremental', '--pretty', 'false', '--tsBuildInfoFile', buildInfo]
    const child = spawn(process.execPath, [roomForYoung, compiler, ...options], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore']
    })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, 10)
    this.#closed = once(child, 'close')
    const [output, [code]] = await Promise.all([text(child.stdout), this.#closed])
    if (code !== null) copyOnce(buildInfo, firstResults)
    return code === null || this.#child !== child ? undefined : typeProblems(output, project)
  }

  /** Kills the process, and returns when it has ended. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    await this.#closed
  }
}
