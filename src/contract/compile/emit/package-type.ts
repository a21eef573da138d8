/** Whether JavaScript and TypeScript in a folder are ES modules (Node.js, "Determining module system"). */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const text = '{ "type": "module" }\n'

/** What makes ES modules of the files in the folder, where nothing else does: a package.json of their own. */
export async function moduleScope(folder: string): Promise<[string, string][]> {
  const own = await packageFile(folder)
  const isForeign = own !== undefined && own !== text
  return isForeign || (await isModuleScope(dirname(folder))) ? [] : [['package.json', text]]
}

async function isModuleScope(folder: string): Promise<boolean> {
  const found = await packageFile(folder)
  if (found !== undefined) return /"type"\s*:\s*"module"/.test(found)
  return dirname(folder) !== folder && isModuleScope(dirname(folder))
}

async function packageFile(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
}
