/** The text that a service offers as its contract. */
import { readFile } from 'node:fs/promises'
import type { LoadedContract } from '../load/load.ts'
import { bundledYaml } from './bundled-yaml.ts'

/** @returns the file as written; for a contract in several files, one document in which every reference resolves */
export async function contractYaml({ files: [root, ...others], document }: LoadedContract): Promise<string> {
  return others.length > 0 ? bundledYaml(document) : readFile(String(root?.path), 'utf8')
}
