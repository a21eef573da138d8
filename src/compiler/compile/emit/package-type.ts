/**
 * Marks generated files as ES modules with a package.json, unless one exists (Node.js, "Determining module system").
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const text = '{ "type": "module" }\n'

/** @returns name and text of a package.json for the folder; an empty list when one above it already says the same */
export async function packageType(folder: string): Promise<[string, string][]> {
  const own = await packageFile(folder)
  const isForeign = own !== undefined && own !== text
  return isForeign || (await isModulePackage(dirname(folder))) ? [] : [['package.json', text]]
}

async function isModulePackage(folder: string): Promise<boolean> {
  const found = await packageFile(folder)
  if (found !== undefined) return /"type"\s*:\s*"module"/.test(found)
  return dirname(folder) !== folder && isModulePackage(dirname(folder))
}

async function packageFile(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
}
