/** Finds the declared content of a media type. What follows from declarations alone is made once, for all calls. */
import { mediaTypeMatcher } from '../model/content-type.ts'

/** Message about a media type, a status or a body that the contract does not have. */
export const undeclared = 'is not declared'

/** Keeps what is made of each object. */
export function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? make(key)
    values.set(key, value)
    return value
  }
}

interface Declared {
  readonly mediaType: string
}

/** Returns the index of the content; the one of the last Content-Type is kept, because a server repeats itself. */
const matcherOf = remembered((content: readonly Declared[]) => {
  const match = mediaTypeMatcher(content.map(({ mediaType }) => mediaType))
  let [last, index] = ['', -1]
  return (contentType: string) => {
    if (contentType !== last) index = match(contentType)
    last = contentType
    return index
  }
})

/** Returns the content that a Content-Type matches best; undefined for a type that is not declared. */
export const contentFor = <Content extends Declared>(
  content: readonly Content[],
  contentType: string
): Content | undefined => content[matcherOf(content)(contentType)]
