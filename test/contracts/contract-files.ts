/** The contracts of this folder: root files by name; exchanges.ts has requests and expected responses. */
import { readdirSync } from 'node:fs'

export function contractFiles(): Map<string, string> {
  const files = readdirSync(import.meta.dirname).filter((file) => /\.ya?ml$/.test(file))
  const single = files.map((file): [string, string] => [file.replace(/\.\w+$/, ''), file])
  return new Map([...single, ['multi-file', 'multi-file/openapi.yaml']])
}

/** Contracts of the quick suite: what a mistake in the way of a request breaks first. */
export const firstContracts: readonly string[] = [
  'integers',
  'methods',
  'optional-discriminator',
  'path-names',
  'pointers',
  'querystring',
  'read-write-only',
  'responses'
]
