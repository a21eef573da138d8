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
import { assertLinear, type Row } from './rows.ts'

t.setTimeout(900_000)

const text: TextShape = { types: ['string'] }
const list: TextShape = { types: [], items: text }
const map: TextShape = { types: [], additional: text }
const mapOfMaps: TextShape = { types: [], additional: map }
const object: TextShape = { types: [], properties: { a: text } }

function spec(
  place: ParameterSpec['in'],
  shape: TextShape,
  more: Partial<ParameterSpec> = {}
): ParameterSpec {
  const style = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  return { name: 'p', in: place, key: 'p', required: false, style, explode: false, shape, ...more }
}

type Input = (size: number) => string

/** Decodes parameters; a text that cannot be decoded is a problem, not an exception. */
function decoding(parameters: readonly ParameterSpec[], input: Input) {
  return (size: number) => {
    const sent = input(size)
    const source = { path: { p: sent }, query: sent, headers: { p: sent }, cookie: sent }
    return () => decodeParameters(parameters, source)
  }
}

const repeated = (unit: string, before = '', after = '') => {
  return (size: number) => `${before}${unit.repeat(size)}${after}`
}
const numbered = (unit: (index: number) => string, delimiter = '&') => {
  return (size: number) => Array.from({ length: size }, (_, index) => unit(index)).join(delimiter)
}

const paths: readonly (readonly [template: string, input: Input])[] = [
  ['/{a}-{b}-{c}/x', repeated('-', '/')],
  ['/{a}-{b}-{c}.json', repeated('-', '/')],
  ['/{a}--{b}--{c}', repeated('-', '/', '/')],
  ['/{a}{b}{c}{d}x', repeated('a', '/')],
  ['/{a}/{b}/{c}', repeated('/')]
]
/** Returns a row of a function that reads a text. */
const reading = (about: string, size: number, read: (text: string) => unknown, input: Input): Row => ({
  about,
  size,
  work: (size) => {
    const sent = input(size)
    return () => read(sent)
  }
})
t.test('the work of reading a target grows with its length', (t) =>
  assertLinear(t, [
    ...paths.map(([template, input]) => reading(template, 2000, pathMatcher(template), input)),
    reading('percent-encoding', 5000, normalizePath, repeated('%41')),
    reading('bare percent signs', 5000, normalizePath, repeated('%')),
    reading('absolute form', 5000, originForm, repeated('a', 'http://'))
  ])
)

const inPath = (shape: TextShape, more = {}) => [spec('path', shape, more)]
const inQuery = (shape: TextShape, more = {}) => [spec('query', shape, more)]
const inHeader = (shape: TextShape, more = {}) => [spec('header', shape, more)]
const inCookie = (shape: TextShape, more = {}) => [spec('cookie', shape, more)]
const exploded = { explode: true }
const matrix = { style: 'matrix', explode: true }
const deep = { style: 'deepObject' } as const
const beside = [
  ...inQuery(list),
  ...inQuery(map, { key: 'rest', explode: true }),
  ...inQuery(map, { name: 'd', ...deep })
]

const parameters: readonly [about: string, size: number, readonly ParameterSpec[], Input][] = [
  ['path, simple list', 2000, inPath(list), repeated('a,')],
  ['path, label', 2000, inPath(list, { style: 'label' }), repeated('.a')],
  ['path, matrix', 2000, inPath(map, matrix), numbered((i) => `;a${i}=1`, '')],
  ['query, names', 2000, inQuery(text), numbered((i) => `a${i}=1`)],
  ['query, one name', 2000, inQuery(list, exploded), repeated('p=1&')],
  ['query, exploded map', 2000, inQuery(map, exploded), numbered((i) => `a${i}=1`)],
  ['query, deepObject', 1000, inQuery(mapOfMaps, deep), numbered((i) => `p[a${i}][b]=1`)],
  ['query, deepObject with indices', 1000, inQuery(list, deep), numbered((i) => `p[${i}]=1`)],
  ['query, deepObject too deep', 2000, inQuery(map, deep), repeated('[a]', 'p', '=1')],
  ['query, a map beside others', 600, beside, numbered((i) => `p=${i}&x${i}=%20&d[x${i}]=${i}`)],
  ['query, open brackets', 5000, inQuery(map, deep), repeated('[', 'p', '%0A=1')],
  ['query, spaces', 2000, inQuery(list, { style: 'spaceDelimited' }), repeated('a%20', 'p=')],
  ['query, pipes', 2000, inQuery(list, { style: 'pipeDelimited' }), repeated('a%7C', 'p=')],
  ['query, plus signs', 5000, inQuery(text), repeated('+', 'p=')],
  ['query, JSON', 2000, inQuery(list, { json: true }), repeated('%5B', 'p=')],
  ['query, digits', 5000, inQuery({ types: ['number'] }), repeated('0', 'p=1', 'e1')],
  ['query, int64', 5000, inQuery({ types: ['int64'] }), repeated('9', 'p=')],
  ['header, list', 2000, inHeader(list), repeated('a, ')],
  ['header, spaces', 5000, inHeader(text), repeated(' ', 'a', 'a')],
  ['header, object', 2000, inHeader(map, exploded), numbered((i) => `a${i}=1`, ',')],
  ['cookie, names', 2000, inCookie(text), numbered((i) => `a${i}=1`, '; ')],
  ['cookie, exploded list', 2000, inCookie(list, exploded), repeated('p=1&')],
  ['cookie, spaces', 5000, inCookie(text), repeated(' ', 'p=', '"')],
  ['cookie, percent signs', 5000, inCookie(text), repeated('%41', 'p=')]
]
t.test('parameters', (t) =>
  assertLinear(
    t,
    parameters.map(([about, size, parameter, input]) => ({
      about,
      size,
      work: decoding(parameter, input)
    }))
  )
)

const field = (shape: TextShape, more: Partial<ParameterSpec> = {}): FieldSpec =>
  spec('query', shape, { explode: true, ...more })
const form = (content: Partial<RequestContent>): RequestContent => ({
  mediaType: 'application/x-www-form-urlencoded',
  kind: 'form',
  ...content
})

const fields = numbered((i) => `a${i}=1`)
const others = (shape: TextShape, more = {}) => form({ additional: field(shape, more) })
/** Forms of a thousand fields: longer ones are refused. */
const forms: readonly [about: string, size: number, RequestContent, Input][] = [
  ['undeclared fields', 125, form({}), fields],
  ['undeclared maps', 125, others(map), fields],
  ['undeclared objects', 125, others(object), fields],
  ['undeclared lists', 125, others(list), fields],
  ['undeclared deepObjects', 125, others(map, deep), numbered((i) => `a${i}[b]=1`)],
  ['undeclared fields beside a map', 125, form({ fields: [field(map)], additional: field(text) }), fields],
  ['a declared list', 125, form({ fields: [field(list)] }), repeated('p=1&')],
  ['a name of brackets', 5000, form({ fields: [field(map, deep)] }), repeated('[', '', '%0A')],
  ['an undeclared name of brackets', 5000, others(text), repeated('[', '', '%0A')]
]
t.test('the work of reading a form grows with its length', (t) =>
  assertLinear(
    t,
    forms.map(([about, size, content, input]) =>
      reading(
        about,
        size,
        (sent) => {
          const { read, specs } = urlencodedForm(sent, content)
          try {
            return read(specs)
          } catch (error) {
            return error
          }
        },
        input
      )
    )
  )
)

const onePart = {
  ...{ bytes: Buffer.from('1'), mediaType: 'text/plain', filename: undefined },
  ...{ isNamed: false, encoding: undefined }
}
const contents = [form({}), others(map), others(text), form({ fields: [field(list)] })]
t.test('parts of multipart bodies', (t) =>
  assertLinear(
    t,
    contents.map((content, index) => ({
      about: `content ${index}`,
      size: 125,
      work: (size) => {
        const parts: Parts = new Map(Array.from({ length: size }, (_, name) => [`a${name}`, [onePart]]))
        return () => {
          const { read, specs } = multipartForm(parts, content)
          return read(specs)
        }
      }
    }))
  )
)

const texts: readonly [about: string, size: number, input: Input][] = [
  ['long integers', 500, (size) => `[${numbered((i) => `1234567890123456789${i}`, ',')(size)}]`],
  ['exponents', 500, repeated('1e308,', '[', '1]')],
  ['digits', 5000, repeated('9', '[', ']')],
  ['zeros', 5000, repeated('0', '[1', 'e1]')],
  ['zeros around a digit', 5000, (size) => `[1.${'0'.repeat(size)}1${'0'.repeat(size)}]`],
  ['backslashes', 5000, repeated('\\\\', '["', '",1e-400]')],
  ['escaped quotes', 5000, repeated('\\"', '["', '",1e-400]')],
  ['spaces', 5000, repeated(' ', '[', '1e-400]')],
  ['brackets', 400, (size) => `${'['.repeat(size)}1e-400${']'.repeat(size)}`],
  ['objects', 400, (size) => `${'{"a":'.repeat(size)}1e-400${'}'.repeat(size)}`],
  ['equal names', 500, repeated('"a":1e400,', '{', '"b":1}')],
  ['forbidden names', 500, (size) => `{${numbered((i) => `"constructor${i}":{"a":1}`, ',')(size)}}`]
]
t.test('JSON', (t) =>
  assertLinear(
    t,
    texts.map(([about, size, input]) => reading(about, size, parseExactJson, input))
  )
)

const literals: readonly [about: string, size: number, input: Input][] = [
  ['members of one object', 500, (size) => `{${numbered((i) => `"a${i}":1e-400`, ',')(size)}}`],
  ['items of one list', 20_000, (size) => `[${'1e-400,'.repeat(size)}0]`]
]
t.test('number literals that are found in a text', (t) =>
  assertLinear(
    t,
    literals.map(([about, size, input]) => ({
      about,
      size,
      work: (size) => {
        const json = input(size)
        const value: unknown = JSON.parse(json)
        return () => exactJson(json, value)
      }
    }))
  )
)
