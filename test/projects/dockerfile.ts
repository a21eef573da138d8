/** Reads the instructions of a Dockerfile, and the patterns of .dockerignore, as this project writes them. */
import { matchesGlob } from 'node:path'

export interface Instruction {
  readonly name: string
  /** Options: `from=dependencies`, `mount=type=bind,…`. */
  readonly options: readonly string[]
  readonly rest: string
}

export interface Stage {
  /** Image, or name of an earlier stage. */
  readonly base: string
  readonly name: string
  readonly instructions: readonly Instruction[]
}

export function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const instructions = lines.map(instruction)
  const starts = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []))
  return starts.map((start, index) => {
    const [base = '', , name = ''] = instructions[start]?.rest.split(' ') ?? []
    return { base, name, instructions: instructions.slice(start + 1, starts[index + 1]) }
  })
}

function instruction(line: string): Instruction {
  const [, name = '', given = '', rest = ''] = /^([A-Z]+)((?: --\S+)*) (.*)$/.exec(line) ?? []
  const options = given.split(' --').slice(1)
  return { name, options, rest }
}

/** Returns the arguments of a JSON form; those of a shell for any other. */
export const commandOf = (text: string): string[] =>
  text.startsWith('[') ? JSON.parse(text) : ['sh', '-ec', text]

/** Returns a function that accepts the paths of the build context that .dockerignore leaves in; the last match decides. */
export function includedBy(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore.split('\n').filter((line) => /^[^#]/.test(line))
  const matches = (path: string, pattern: string) =>
    matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)
  return (path) => {
    const last = patterns.findLast((pattern) => matches(path, pattern.replace(/^!/, '')))
    return last === undefined || last.startsWith('!')
  }
}
