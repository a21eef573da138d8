/** Parses media types and lists of them (RFC 9110, sections 5.6, 8.3.1 and 12.5.1) in linear time; kinds of bodies. */

export interface MediaType {
  /** Lower-cased `type/subtype`, without parameters. */
  readonly type: string
  /** Values as sent, unquoted, by lower-cased name. */
  readonly parameters: ReadonlyMap<string, string>
}

interface Read extends MediaType {
  /** Index after the media type and the white space that follows it. */
  readonly end: number
}

const essence = /[ \t]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)/y
const quoted = /"((?:[\t !#-[\]-~\x80-\uffff]|\\[\t -~\x80-\uffff])*)"/.source
const parameter = new RegExp(
  `[ \\t]*;[ \\t]*(?:([!#$%&'*+.^_\`|~\\w-]+)=(?:([!#$%&'*+.^_\`|~\\w-]+)|${quoted}))?`,
  'y'
)
const space = /[ \t]*/y

/** Parses one media type. Returns undefined for a malformed one, and for one parameter with two values. */
export function parseMediaType(text: string): MediaType | undefined {
  const read = readMediaType(text, 0)
  return read?.end === text.length ? read : undefined
}

/** Parses a comma-separated list and skips its empty elements. Returns undefined for a malformed list. */
export function parseMediaTypes(text: string): MediaType[] | undefined {
  const found: MediaType[] = []
  let at = skipSpace(text, 0)
  while (at < text.length) {
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1)
    else {
      const read = readMediaType(text, at)
      if (!read || (read.end < text.length && text.charAt(read.end) !== ',')) return undefined
      found.push(read)
      at = read.end
    }
  }
  return found
}

function readMediaType(text: string, start: number): Read | undefined {
  essence.lastIndex = start
  const [, type = ''] = essence.exec(text) ?? []
  if (type === '') return undefined
  const parameters = new Map<string, string>()
  let end = essence.lastIndex
  parameter.lastIndex = end
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    end = parameter.lastIndex
    if (match[1] !== undefined && !add(parameters, match[1], unquoted(match))) return undefined
  }
  return { type: type.toLowerCase(), parameters, end: skipSpace(text, end) }
}

function unquoted([, , token = '', string = '']: RegExpExecArray): string {
  return token || string.replace(/\\(.)/g, '$1')
}

function add(parameters: Map<string, string>, name: string, value: string): boolean {
  const key = name.toLowerCase()
  if (parameters.has(key) && parameters.get(key) !== value) return false
  parameters.set(key, value)
  return true
}

function skipSpace(text: string, at: number): number {
  space.lastIndex = at
  space.test(text)
  return space.lastIndex
}

/** Returns true if a type is the range itself or one of its members. */
export function covers(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

/** Ranks a type (2) above a range `type/*` (1) above the range of every type (0). */
export function specificity(range: string): number {
  if (range === '*/*') return 0
  return range.endsWith('/*') ? 1 : 2
}

/** Returns true if every parameter of the part is a parameter of the whole, with the same value. */
export function includesAll(whole: MediaType, part: MediaType): boolean {
  return [...part.parameters].every(([name, value]) => whole.parameters.get(name) === value)
}

/** Way to read a body. */
export type BodyKind = 'json' | 'text' | 'form' | 'multipart' | 'binary'

const structured = /^application\/(?:x-)?(?:xml|yaml|cbor|msgpack)$|\+(?:xml|yaml|cbor|msgpack)$/

/** Returns true for a key with an asterisk that is no media range (RFC 9110, section 12.5.1): it covers no media type. */
export const isPatternOnly = (type: string): boolean => type.includes('*') && !/^(?:\*|[^*]+)\/\*$/.test(type)

/**
 * Returns the kind of bodies of a media type; that of JSON is as in WHATWG MIME Sniffing, section 4.6. Returns undefined for
 * the structured types that the engine does not parse (XML, YAML, CBOR, MessagePack).
 * A range has the kind that suits all of its members: `text/*` is text, every other range is bytes.
 */
export function bodyKind(mediaType: string): BodyKind | undefined {
  const type = parseMediaType(mediaType)?.type ?? ''
  if (isPatternOnly(type)) return undefined
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('text/')) return 'text'
  if (type === 'multipart/form-data' || type === 'multipart/*') return 'multipart'
  return type === '' || structured.test(type) ? undefined : 'binary'
}

/** Way to write and read the items of a sequential media type (OpenAPI 3.2.0, section 4.14.3.1). */
export type Framing = 'events' | 'lines' | 'texts'

/** WHATWG HTML, section 9.2; one JSON text per line; RFC 7464. */
const framings: ReadonlyMap<string | undefined, Framing> = new Map<string, Framing>([
  ['text/event-stream', 'events'],
  ['application/jsonl', 'lines'],
  ['application/x-ndjson', 'lines'],
  ['application/x-jsonlines', 'lines'],
  ['application/json-seq', 'texts']
])

/** Returns the media types whose bodies are sequences of items. */
export const sequentialTypes = () => [...framings.keys()]

/** Returns undefined for a media type whose bodies are not sequences of items. */
export function framingOf(mediaType: string): Framing | undefined {
  return framings.get(parseMediaType(mediaType)?.type)
}

/** Accepts UTF-8, its subset ASCII, and no charset at all. */
export function isUtf8Charset(parameters: ReadonlyMap<string, string>): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(parameters.get('charset') ?? 'utf-8')
}
