/** Reads the files of the page: those beside this module, or the copies in a bundle. */
import { readFile } from 'node:fs/promises'

/** @param base `import.meta.url` of a module beside the folder of the page; undefined in a bundle of CommonJS */
export async function pageFile(name: string, base: string | undefined): Promise<string> {
  try {
    return await readFile(new URL(`page/${name}`, base), 'utf8')
  } catch {
    const { pageFiles } = await import('./page-files.ts')
    return String(pageFiles[name])
  }
}
