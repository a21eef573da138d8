/** The text that a service offers as its contract. */
import type { LoadedContract } from '../load/load.ts'
import { bundledYaml } from './bundled-yaml.ts'

/** @returns the file as it was read; for a contract in several files, one document in which every reference resolves */
export function contractYaml({ files: [root, ...others], document }: LoadedContract): string {
  return others.length > 0 ? bundledYaml(document) : root.text
}
