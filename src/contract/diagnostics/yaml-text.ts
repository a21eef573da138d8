/** Reads YAML with the parser and the tags of Redocly, which itself takes a quarter of a second of CPU to load. */
import { binaryTag, CORE_SCHEMA, loadAll, mergeTag, omapTag, pairsTag, setTag, YAMLException } from 'js-yaml'
import type { Source, SourcePosition } from './source-position.ts'

const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, omapTag, pairsTag, setTag)

/** A mistake in a file, with its place. */
export class YamlError extends Error {
  readonly source: Source
  readonly position: SourcePosition

  constructor(message: string, source: Source, position: SourcePosition, cause?: unknown) {
    super(message, { cause })
    this.source = source
    this.position = position
  }
}

/**
 * @returns null for comments alone, undefined for an empty text
 * @throws {YamlError} for a text that is not YAML, or has several documents; its cause is the error of the parser
 */
export function yamlValue(source: Source): unknown {
  try {
    const documents = loadAll(source.body, { schema })
    if (documents.length > 1)
      throw new YAMLException('expected a single document in the stream, but found more')
    return documents.length === 0 && source.body.trim() !== '' ? null : documents[0]
  } catch (error) {
    const { reason, mark = { line: 0, column: 0 } } = error as YAMLException
    // The parser reads on to the next line when a quote is open.
    const message = reason.replace(/deficient indentation$/, '$&, or a quote is open above')
    throw new YamlError(message, source, { line: mark.line + 1, column: mark.column + 1 }, error)
  }
}
