/** Names the parts of OpenAPI 3.2 that have no effect here, so that nothing is passed over in silence. */
import { framingOf } from '@contract-first/engine/media-types'
import { arrayOf, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { methods } from '../document/operation-objects.ts'
import { dereference, resolved } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { streamKey } from '../operations/streamed-content.ts'
import type { Reporter } from './reporter.ts'

/** Members of a Media Type Object without an effect (OpenAPI 3.2.0, section 4.14), and what happens instead. */
const unserved: ReadonlyMap<string, string> = new Map([
  ['itemSchema', 'only sequential media types have items'],
  ['itemEncoding', 'parts are read by their names, and a body without names is read as bytes'],
  ['prefixEncoding', 'parts are read by their names, and a body without names is read as bytes']
])

/** Matches the pointer of a media type object of a request body that is received. */
const receivedContent =
  /^(?!.*\/(?:callbacks|webhooks)\/).*\/(?:requestBody\/content|requestBodies\/[^/]+\/content|mediaTypes)\/[^/]+$/

export function checkUnserved(document: JsonObject, reporter: Reporter): void {
  const { warn } = reporter
  for (const { node, names, pointer } of contractNodes(document)) {
    if (names === 'content')
      for (const [name, value] of Object.entries(node))
        checkMediaType(name, resolved(document, value), reporter)
    if (names === undefined && own(node, streamKey) !== undefined && !receivedContent.test(pointer))
      warn(`${streamKey} has no effect: it belongs beside a media type of a request body`, node, streamKey)
  }
  if (stringOf(own(document, '$self'))?.includes('#') === true)
    warn('$self must not have a fragment, which is left out', document, '$self')
  checkTags(document, reporter)
  checkAdditionalOperations(document, reporter)
}

function checkMediaType(name: string, mediaType: JsonObject, { warn }: Reporter): void {
  const isSequential = framingOf(name) !== undefined
  for (const [member, effect] of unserved)
    if (own(mediaType, member) !== undefined && !(member === 'itemSchema' && isSequential))
      warn(`${member} has no effect: ${effect}`, mediaType, member)
  if (isSequential && own(mediaType, 'itemSchema') !== undefined && own(mediaType, 'schema') !== undefined)
    warn('schema has no effect beside itemSchema: items are checked one by one', mediaType, 'schema')
}

/** Reports operations of further methods, which have no routes (section 4.9), and those that belong beside them. */
function checkAdditionalOperations(document: JsonObject, { error, warn }: Reporter): void {
  for (const [path, item] of Object.entries(objectOf(own(document, 'paths')))) {
    const additional = objectOf(own(objectOf(dereference(document, item)), 'additionalOperations'))
    for (const method of Object.keys(additional)) {
      const field = methods.find((known) => known === method.toLowerCase())
      if (field === undefined)
        warn(`${method} ${path} is not served: additionalOperations have no routes`, additional, method)
      else
        error(`${method} is no additional operation: write it as \`${field}\` of ${path}`, additional, method)
    }
  }
}

/** Checks that tags have parents that are there (section 4.22). */
function checkTags(document: JsonObject, { warn }: Reporter): void {
  const tags = arrayOf(own(document, 'tags')).map(objectOf)
  const names = new Set(tags.map((tag) => own(tag, 'name')))
  for (const tag of tags) {
    const parent = own(tag, 'parent')
    if (parent !== undefined && !names.has(parent))
      warn(`tag ${String(own(tag, 'name'))} has a parent that is not declared`, tag, 'parent')
  }
}
