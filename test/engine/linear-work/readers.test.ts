/** The CPU time of a reader of requests grows with the bytes, for inputs that a client chooses to be slow. */
import t from 'tap'
import { exactJson } from '../../../src/engine/json/exact-json.ts'
import { parseExactJson } from '../../../src/engine/json/parse.ts'
import type { RequestContent } from '../../../src/engine/model/compiled-contract.ts'
import type { FieldSpec, ParameterSpec, TextShape } from '../../../src/engine/model/parameter.ts'
import { urlencodedForm } from '../../../src/engine/server/body/form.ts'
import type { Parts } from '../../../src/engine/server/body/multipart.ts'
import { multipartForm } from '../../../src/engine/server/body/parts.ts'
import { decodeParameters } from '../../../src/engine/server/parameters/decode.ts'
import { normalizePath, originForm, pathMatcher } from '../../../src/engine/server/parameters/request-path.ts'
import { assertLinear, type Row, type Work } from './rows.ts'

t.setTimeout(900_000)

const text: TextShape = { types: ['string'] }
const list: TextShape = { types: [], items: text }
const map: TextShape = { types: [], additional: text }
const mapOfMaps: TextShape = { types: [], additional: map }

function spec(
  place: ParameterSpec['in'],
  shape: TextShape,
  more: Partial<ParameterSpec> = {}
): ParameterSpec {
  const style = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  return { name: 'p', in: place, key: 'p', required: false, style, explode: false, shape, ...more }
}

type Input = (size: number) => string
const repeated = (unit: string, before = '', after = '') => {
  return (size: number) => `${before}${unit.repeat(size)}${after}`
}
const numbered = (unit: (index: number) => string, delimiter = '&') => {
  return (size: number) => Array.from({ length: size }, (_, index) => unit(index)).join(delimiter)
}

const reading = (read: (text: string) => unknown, input: Input): Work => {
  return (size) => {
    const sent = input(size)
    return () => read(sent)
  }
}
const inPathOf = (template: string, input: Input): Row => [
  template,
  2000,
  reading(pathMatcher(template), input)
]
const targets: readonly Row[] = [
  inPathOf('/{a}-{b}-{c}/x', repeated('-', '/')),
  inPathOf('/{a}--{b}--{c}', repeated('-', '/', '/')),
  inPathOf('/{a}{b}{c}{d}x', repeated('a', '/')),
  ['percent-encoding', 5000, reading(normalizePath, repeated('%41'))],
  ['bare percent signs', 5000, reading(normalizePath, repeated('%'))],
  ['absolute form', 5000, reading(originForm, repeated('a', 'http://'))]
]
t.test('the work of reading a target grows with its length', (t) => assertLinear(t, targets))

/** Decodes parameters; a text that cannot be decoded is a problem, not an exception. */
const decoding = (parameters: readonly ParameterSpec[], input: Input) =>
  reading(
    (text) =>
      decodeParameters(parameters, { path: { p: text }, query: text, headers: { p: text }, cookie: text }),
    input
  )
const inPath = (shape: TextShape, more = {}) => [spec('path', shape, more)]
const inQuery = (shape: TextShape, more = {}) => [spec('query', shape, more)]
const inHeader = (shape: TextShape, more = {}) => [spec('header', shape, more)]
const inCookie = (shape: TextShape, more = {}) => [spec('cookie', shape, more)]
const exploded = { explode: true }
const matrix = { style: 'matrix', explode: true }
const deep = { style: 'deepObject' } as const
const rest = inQuery(map, { key: 'rest', explode: true })
const beside = [...inQuery(list), ...rest, ...inQuery(map, { name: 'd', ...deep })]
const parameters: readonly Row[] = [
  ['path, simple list', 2000, decoding(inPath(list), repeated('a,'))],
  [
    'path, matrix',
    2000,
    decoding(
      inPath(map, matrix),
      numbered((i) => `;a${i}=1`, '')
    )
  ],
  [
    'query, names',
    2000,
    decoding(
      inQuery(text),
      numbered((i) => `a${i}=1`)
    )
  ],
  ['query, one name', 2000, decoding(inQuery(list, exploded), repeated('p=1&'))],
  [
    'query, deepObject',
    1000,
    decoding(
      inQuery(mapOfMaps, deep),
      numbered((i) => `p[a${i}][b]=1`)
    )
  ],
  [
    'query, deepObject with indices',
    1000,
    decoding(
      inQuery(list, deep),
      numbered((i) => `p[${i}]=1`)
    )
  ],
  ['query, deepObject too deep', 2000, decoding(inQuery(map, deep), repeated('[a]', 'p', '=1'))],
  [
    'query, beside others',
    600,
    decoding(
      beside,
      numbered((i) => `p=${i}&x${i}=%20&d[x${i}]=${i}`)
    )
  ],
  ['query, open brackets', 5000, decoding(inQuery(map, deep), repeated('[', 'p', '%0A=1'))],
  ['query, spaces', 2000, decoding(inQuery(list, { style: 'spaceDelimited' }), repeated('a%20', 'p='))],
  ['query, JSON', 2000, decoding(inQuery(list, { json: true }), repeated('%5B', 'p='))],
  ['query, digits', 5000, decoding(inQuery({ types: ['number'] }), repeated('0', 'p=1', 'e1'))],
  ['header, list', 2000, decoding(inHeader(list), repeated('a, '))],
  ['header, spaces', 5000, decoding(inHeader(text), repeated(' ', 'a', 'a'))],
  [
    'header, object',
    2000,
    decoding(
      inHeader(map, exploded),
      numbered((i) => `a${i}=1`, ',')
    )
  ],
  [
    'cookie, names',
    2000,
    decoding(
      inCookie(text),
      numbered((i) => `a${i}=1`, '; ')
    )
  ],
  ['cookie, exploded list', 2000, decoding(inCookie(list, exploded), repeated('p=1&'))],
  ['cookie, spaces', 5000, decoding(inCookie(text), repeated(' ', 'p=', '"'))]
]
t.test('parameters', (t) => assertLinear(t, parameters))

const field = (shape: TextShape, more: Partial<ParameterSpec> = {}): FieldSpec =>
  spec('query', shape, { explode: true, ...more })
const form = (content: Partial<RequestContent>): RequestContent => ({
  ...{ mediaType: 'application/x-www-form-urlencoded', kind: 'form' },
  ...content
})
const parsing = (content: RequestContent, input: Input) =>
  reading((text) => {
    const { read, specs } = urlencodedForm(text, content)
    try {
      return read(specs)
    } catch (error) {
      return error
    }
  }, input)
const fields = numbered((i) => `a${i}=1`)
const others = (shape: TextShape, more = {}) => form({ additional: field(shape, more) })
/** Forms of a thousand fields: longer ones are refused. */
const forms: readonly Row[] = [
  ['undeclared fields', 125, parsing(form({}), fields)],
  ['undeclared maps', 125, parsing(others(map), fields)],
  [
    'undeclared deepObjects',
    125,
    parsing(
      others(map, deep),
      numbered((i) => `a${i}[b]=1`)
    )
  ],
  ['fields beside a map', 125, parsing(form({ fields: [field(map)], additional: field(text) }), fields)],
  ['a declared list', 125, parsing(form({ fields: [field(list)] }), repeated('p=1&'))],
  ['a name of brackets', 5000, parsing(form({ fields: [field(map, deep)] }), repeated('[', '', '%0A'))],
  ['an undeclared name of brackets', 5000, parsing(others(text), repeated('[', '', '%0A'))]
]
t.test('the work of reading a form grows with its length', (t) => assertLinear(t, forms))

const onePart = {
  ...{ bytes: Buffer.from('1'), mediaType: 'text/plain', filename: undefined },
  ...{ isNamed: false, encoding: undefined }
}
const joining = (content: RequestContent): Work => {
  return (size) => {
    const parts: Parts = new Map(Array.from({ length: size }, (_, name) => [`a${name}`, [onePart]]))
    return () => {
      const { read, specs } = multipartForm(parts, content)
      return read(specs)
    }
  }
}
const contents = [form({}), others(map), others(text), form({ fields: [field(list)] })]
t.test('parts of multipart bodies', (t) =>
  assertLinear(
    t,
    contents.map((content, index) => [`content ${index}`, 125, joining(content)])
  )
)

const json = (input: Input) => reading(parseExactJson, input)
const literals = (input: Input): Work => {
  return (size) => {
    const text = input(size)
    const value: unknown = JSON.parse(text)
    return () => exactJson(text, value)
  }
}
const texts: readonly Row[] = [
  ['long integers', 500, json((size) => `[${numbered((i) => `1234567890123456789${i}`, ',')(size)}]`)],
  ['exponents', 500, json(repeated('1e308,', '[', '1]'))],
  ['digits', 5000, json(repeated('9', '[', ']'))],
  ['zeros around a digit', 5000, json((size) => `[1.${'0'.repeat(size)}1${'0'.repeat(size)}]`)],
  ['backslashes', 5000, json(repeated('\\\\', '["', '",1e-400]'))],
  ['spaces', 5000, json(repeated(' ', '[', '1e-400]'))],
  ['brackets', 400, json((size) => `${'['.repeat(size)}1e-400${']'.repeat(size)}`)],
  ['objects', 400, json((size) => `${'{"a":'.repeat(size)}1e-400${'}'.repeat(size)}`)],
  ['equal names', 500, json(repeated('"a":1e400,', '{', '"b":1}'))],
  ['forbidden names', 500, json((size) => `{${numbered((i) => `"constructor${i}":{"a":1}`, ',')(size)}}`)],
  ['literals of members', 500, literals((size) => `{${numbered((i) => `"a${i}":1e-400`, ',')(size)}}`)],
  ['literals of items', 20_000, literals((size) => `[${'1e-400,'.repeat(size)}0]`)]
]
t.test('JSON', (t) => assertLinear(t, texts))
