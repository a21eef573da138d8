/** The contracts of this folder: root files by name. `<name>.ts` beside each lists requests and expected responses. */
import { readdirSync } from 'node:fs'

export function contractFiles(): Map<string, string> {
  const files = readdirSync(import.meta.dirname).filter((file) => /\.(yaml|json)$/.test(file))
  const single = files.map((file): [string, string] => [file.replace(/\.\w+$/, ''), file])
  return new Map([...single, ['multi-file', 'multi-file/openapi.yaml']])
}
