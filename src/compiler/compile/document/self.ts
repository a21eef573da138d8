/** Reads `$self`, the URI of a contract (OpenAPI 3.2.0, section 4.1), which references to the contract may use. */
import { dirname, relative, sep } from 'node:path'

/** Base of a relative `$self`: where a contract is published is not known here. */
const unknownBase = 'https://self.invalid/'

/** The root file of a contract, and its `$self`. */
export interface Self {
  readonly path: string
  readonly uri: string
}

/**
 * Returns a function that rewrites references to the URI of the contract as references to its root file.
 * @param file absolute path of the file that holds the references
 */
export function fromSelf({ path, uri }: Self, file: string): (reference: string) => string {
  const root = URL.parse(uri, unknownBase)
  if (root === null) return (reference) => reference
  root.hash = ''
  const isRoot = file === path
  const base = isRoot ? root : (URL.parse(posix(relative(dirname(path), file)), root.href) ?? root)
  const rootFile = isRoot ? '' : posix(relative(dirname(file), path))
  return (reference) => {
    const target = reference.startsWith('#') ? null : URL.parse(reference, base.href)
    if (target === null) return reference
    const { hash } = target
    target.hash = ''
    return target.href === root.href ? `${rootFile}${hash || '#'}` : reference
  }
}

const posix = (path: string) => path.replaceAll(sep, '/')
