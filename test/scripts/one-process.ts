/** Runs commands one after the other in one process, because most of the time of a command is its start. */
import { writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Outcome, ProjectCopy } from '../e2e/project-copy.ts'

export interface Command {
  /** File of the command, which must not end the process, because others follow. */
  readonly file: string
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const mark = '-- ended with '

const runner = `const environment = { ...process.env }
for (const [index, { file, args = [], environment: more = {} }] of JSON.parse(process.argv[2]).entries()) {
  process.env = { ...environment, ...more }
  process.argv = [process.execPath, file, ...args]
  process.exitCode = 0
  await import(file + '?' + index)
  process.stdout.write('${mark}' + process.exitCode + '\\n')
}
process.exitCode = 0
`

/** Returns the command line that runs the commands in the folder of the copy. */
export async function oneProcess(copy: ProjectCopy, commands: readonly Command[]): Promise<string> {
  await writeFile(join(copy.folder, 'one-process.mjs'), runner)
  const paths = commands.map((each) => ({
    ...each,
    file: isAbsolute(each.file) ? each.file : join(copy.folder, each.file)
  }))
  return `node one-process.mjs '${JSON.stringify(paths)}' 2>&1`
}

/** Splits the output into the outcome of each command. */
export function outcomesOf(output: string): Outcome[] {
  const parts = output.replaceAll('\r', '').split(mark)
  return parts.slice(1).map((part, index) => ({
    code: Number.parseInt(part, 10),
    output: (parts[index] ?? '').replace(index === 0 ? '' : /^\d+\n/, '')
  }))
}
