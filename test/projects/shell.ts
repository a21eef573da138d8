/** Runs commands as a person would in the folder of a project. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

export interface Outcome {
  readonly code: number
  /** Standard output and standard error. */
  readonly output: string
}

/**
 * Recognises variables that npm, tap and a test run set for their processes, and that would affect the npm of the
 * project.
 */
const isForeign = (name: string): boolean => /^npm_|^NODE_(?!EXTRA_CA_CERTS)|^TAP_|^NO_COLOR/i.test(name)

/** The name that git has for a commit. */
const author = { NAME: 'Test', EMAIL: 'test@plants.example' }
const identity = Object.entries(author).flatMap(([name, value]) =>
  ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${name}`, value])
)

/** Returns the environment of a person's shell. */
export const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(identity),
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)))
})

/** Runs a command line to its end. */
export async function shell(command: string, { folder }: { readonly folder: string }): Promise<Outcome> {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close')
  ])
  return { code: Number(code ?? 1), output: stripVTControlCharacters(output + errors) }
}
