/** Checks statements about the types of a contract in one TypeScript program. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diagnose } from '../contracts/type-check.ts'

/** A claim that the value has the type, or does not have it. */
export interface Statement {
  readonly type: string
  readonly value: string
  readonly accepted: boolean
  /** Name of the part that refused or accepted the value. */
  readonly about: string
}

const head = `import type { Handlers } from './contract.ts'
type Request<Id extends keyof Handlers> = Parameters<Handlers[Id]>[0]
type Response<Id extends keyof Handlers> = Exclude<ReturnType<Handlers[Id]>, Promise<unknown>>
`

/**
 * @param name name of the statements
 * @returns the statements that TypeScript refutes
 */
export async function disagreements(
  name: string,
  statements: readonly Statement[],
  folder: string
): Promise<string[]> {
  const path = join(folder, 'agreement.ts')
  const lines = statements.map(({ type, value }, index) => `export const v${index}: ${type} = ${value}`)
  await writeFile(path, `${head}${lines.join('\n')}\n`)
  const first = head.split('\n').length
  const problems = await diagnose(name, [path])
  const refused = new Map(problems.map(({ text }) => [Number(text.split(':')[0]) - first, text]))
  const elsewhere = problems
    .filter(({ file }) => !file.endsWith('/agreement.ts'))
    .map(({ file, text }) => `${file}: ${text}`)
  const wrong = statements.flatMap(({ type, value, accepted, about }, index) =>
    refused.has(index) === accepted
      ? [
          `${about}: ${value} is ${accepted ? 'accepted, and not' : 'refused, and is'} of ${type}; ${refused.get(index) ?? ''}`
        ]
      : []
  )
  return [...elsewhere, ...wrong]
}
