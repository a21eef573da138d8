/**
 * Joins a path item with members beside its `$ref` and the path item to which that leads (OpenAPI 3.2.0, section 4.9), so
 * that every reader of the document finds one path item.
 */
import { dirname, resolve } from 'node:path'
import { define, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { additional, methods } from './operation-objects.ts'
import { atPointer, dereference, pointerOf } from './reference.ts'

/** A path item with members beside its `$ref`. */
interface Extended {
  /** Object that holds the path item under its name. */
  readonly holder: JsonObject
  readonly name: string
  readonly item: JsonObject
  readonly reference: string
  readonly members: readonly string[]
}

/** Finds these path items before the bundler, which leaves no trace of a `$ref` to another file. */
export function extendedPathItems(document: JsonObject): readonly Extended[] {
  const holders = [own(objectOf(own(document, 'components')), 'pathItems'), own(document, 'webhooks')]
  return [...holders, own(document, 'paths')].map(objectOf).flatMap((holder) =>
    Object.entries(holder).flatMap(([name, value]) => {
      const item = objectOf(value)
      const reference = stringOf(own(item, '$ref'))
      const members = Object.keys(item).filter((key) => key !== '$ref')
      return reference === undefined || members.length === 0
        ? []
        : [{ holder, name, item, reference, members }]
    })
  )
}

interface File {
  readonly path: string
  readonly parsed: Json
}

interface Bundled {
  readonly document: JsonObject
  /** The root file, then the others. */
  readonly files: readonly [File, ...File[]]
}

interface Joined {
  /** The original of each object that was made. */
  readonly copies: ReadonlyMap<object, object>
  /** Members that stand in both path items. */
  readonly twice: readonly { readonly item: JsonObject; readonly member: string }[]
}

/** Fields whose meaning is undefined where both path items have them. */
const exclusive: ReadonlySet<string> = new Set([...methods, additional, 'parameters', 'servers'])

/** Changes the bundled document in place. */
export function joinPathItems(extended: readonly Extended[], bundled: Bundled): Joined {
  const copies = new Map<object, object>()
  const twice = extended.flatMap((each) => {
    const { holder, name, item, members } = each
    const target = targetOf(each, bundled)
    if (target === undefined) return []
    // The bundler has joined those whose reference leads to another file.
    if (own(item, '$ref') !== undefined) {
      const { $ref: _reference, ...others } = item
      const joined = { ...target, ...others }
      copies.set(joined, item)
      define(holder, name, joined)
    }
    const found = members.filter((member) => exclusive.has(member) && own(target, member) !== undefined)
    return found.map((member) => ({ item, member }))
  })
  return { copies, twice }
}

function targetOf({ item, reference }: Extended, { document, files }: Bundled): JsonObject | undefined {
  // A reference to a file that is not there stays as it is.
  if (own(item, '$ref') !== undefined)
    return pointerOf(item) === undefined ? undefined : dereference(document, item)
  const [file = '', fragment = ''] = reference.split('#')
  const path = resolve(dirname(files[0].path), file)
  const parsed = objectOf(files.find((each) => each.path === path)?.parsed)
  return objectOf(fragment === '' ? parsed : atPointer(parsed, `#${fragment}`))
}
