/** Finds the bundle of the service that build-bundle.ts has made. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @param project its folder
 * @returns the URL of the entry; undefined where there is no bundle, it is of another place, or any file of it or of its sources
 * is no longer what it was
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

/** An image keeps whole seconds of the time. */
function isUnchanged({ path, size, mtimeMs }) {
  const found = statSync(path)
  return (
    found.size === size &&
    (found.mtimeMs === mtimeMs || found.mtimeMs === Math.floor(mtimeMs / 1_000) * 1_000)
  )
}
