/** Finds the bundle of the service that build-bundle.ts has written. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @param project the folder of the project
 * @returns the URL of the entry; undefined if there is no bundle, it belongs to another folder, or one of its files or
 * sources has changed
 */
export function freshBundle(project) {
  try {
    const { root, entry, files } = JSON.parse(
      readFileSync(resolve(project, 'node_modules/.cache/bundle/index.json'), 'utf8')
    )
    return root === resolve(project) && files.every(isUnchanged) ? pathToFileURL(entry).href : undefined
  } catch {
    return undefined
  }
}

/** Compares size and time; an image stores times in whole seconds. */
function isUnchanged({ path, size, mtimeMs }) {
  const found = statSync(path)
  return (
    found.size === size &&
    (found.mtimeMs === mtimeMs || found.mtimeMs === Math.floor(mtimeMs / 1_000) * 1_000)
  )
}
