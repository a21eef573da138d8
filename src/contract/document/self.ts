/** Reads `$self`, the URI of a contract (OpenAPI 3.2.0, section 4.1), which references to the contract may use. */
import { dirname, join, relative, resolve, sep } from 'node:path'
import { arrayOf, define, type JsonObject, objectOf, own } from '../model/json.ts'
import { unescapePointer } from './reference.ts'

/** Base of a relative `$self`: where a contract is published is not known here. */
const unknownBase = 'https://self.invalid/'

/** The root file of a contract, and its `$self`. */
export interface Self {
  readonly path: string
  readonly uri: string
}

/**
 * Returns a function that rewrites references to the URI of the contract as references to its root file, and URIs beside it
 * as references to the files beside that file.
 * @param file absolute path of the file that holds the references
 */
export function fromSelf({ path, uri }: Self, file: string): (reference: string) => string {
  const root = URL.parse(uri, unknownBase)
  if (root === null) return (reference) => reference
  root.hash = ''
  const folder = new URL('.', root.href.startsWith('urn:') ? unknownBase : root).href
  const isRoot = file === path
  const base = isRoot ? root : (URL.parse(posix(relative(dirname(path), file)), root.href) ?? root)
  const rootFile = isRoot ? '' : posix(relative(dirname(file), path))
  return (reference) => {
    const target = reference.startsWith('#') ? null : URL.parse(reference, base.href)
    if (target === null) return reference
    const { hash } = target
    target.hash = ''
    if (target.href === root.href) return `${rootFile}${hash || '#'}`
    if (!URL.canParse(reference) || !target.href.startsWith(folder)) return reference
    const beside = join(dirname(path), decodeURI(target.href.slice(folder.length)))
    return `${posix(relative(dirname(file), beside))}${hash}`
  }
}

/** Returns true for a file, not the root, whose `$self` is another URI than references to its place have. */
export function hasOtherSelf(document: JsonObject, file: string, self: Self | undefined): boolean {
  const uri = own(document, '$self')
  if (typeof uri !== 'string' || own(document, 'openapi') === undefined) return false
  const [place] = (self === undefined ? uri : fromSelf(self, file)(uri)).split('#')
  return resolve(dirname(file), String(place)) !== file
}

/** Renames the security requirements of a node that name a scheme of the contract by its URI (section 4.30). */
export function nameSchemes(node: JsonObject, rewrite: (reference: string) => string): void {
  for (const requirement of arrayOf(own(node, 'security')).map(objectOf))
    for (const [written, scopes] of Object.entries(requirement)) {
      const [file, name] = rewrite(written).split('#/components/securitySchemes/')
      if (file !== '' || name === undefined) continue
      Reflect.deleteProperty(requirement, written)
      define(requirement, unescapePointer(name), scopes)
    }
}

const posix = (path: string) => path.replaceAll(sep, '/')
