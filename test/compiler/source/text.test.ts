/** Text of a contract in generated code: names of files and functions, values, comments. */
import t from 'tap'
import {
  commentText,
  fileName,
  identifier,
  keyOf,
  numberedFile,
  numberedIdentifier,
  propertyAccess,
  Source,
  sourceOf,
  template,
  UniqueNames
} from '../../../src/compiler/source/values.ts'

const rows: readonly [text: string, file: string, name: string][] = [
  ['listThings', 'list-things', 'listThings'],
  ['things.list', 'things-list', 'thingsList'],
  ['get_HTTPStatus', 'get-http-status', 'getHttpStatus'],
  ['Lager & Bestände', 'lager-bestande', 'lagerBestande'],
  ['列車', 'operation', 'operation'],
  ['', 'operation', 'operation'],
  ['3d/models', '3d-models', 'operation3dModels'],
  ['../../etc/passwd', 'etc-passwd', 'etcPasswd'],
  ['CON', 'con-operation', 'con'],
  ['Com1', 'com1-operation', 'com1'],
  ['delete', 'delete', 'deleteOperation'],
  ['await', 'await', 'awaitOperation'],
  ['fetch', 'fetch', 'fetchOperation'],
  ['constructor', 'constructor', 'constructorOperation'],
  ['toString', 'to-string', 'toStringOperation'],
  ['__proto__', 'proto', 'proto']
]

t.test('any text becomes the name of a file and of a function', async (t) => {
  for (const [text, file, name] of rows) {
    t.equal(fileName(text, 'operation'), file, text)
    t.equal(identifier(text, 'operation'), name, text)
  }
  t.equal(fileName('x'.repeat(300), 'operation').length, 80)
})

t.test('a name is given out once, also where a file system ignores case', async (t) => {
  const files = new UniqueNames()
  t.strictSame(
    ['list', 'List', 'LIST', 'list-2', 'get'].map((name) => files.take(name, numberedFile)),
    ['list', 'List-2', 'LIST-3', 'list-2-2', 'get']
  )
  t.equal(new UniqueNames(['handlers']).take('handlers', numberedIdentifier), 'handlers2')
})

/** Runs the source text. */
const evaluated = (source: string): unknown => new Function(`return (${source})`)()

const values: readonly unknown[] = [
  null,
  true,
  1.5,
  9007199254740993n,
  "it's",
  'say "it\'s"',
  'line\nend \u2028 \\ `$ {x}` \u0007',
  [],
  {},
  { 'a-b': 1, 404: [2], class: 'x' },
  Array.from({ length: 40 }, (_, index) => ({ index, name: `item ${index}` }))
]

t.test('source text is the value that it was made from', async (t) => {
  for (const value of values) t.strictSame(evaluated(sourceOf(value, { indent: 0 })), value)
  t.strictSame(evaluated(sourceOf(new Uint8Array([1, 2, 255]), { indent: 0 })), Buffer.from([1, 2, 255]))
  t.strictSame(evaluated(sourceOf({ a: undefined, b: 1 }, { indent: 0 })), { b: 1 })
  const proto = evaluated(sourceOf(JSON.parse('{"__proto__":1}'), { indent: 0 }))
  t.ok(Object.hasOwn(Object(proto), '__proto__'))
})

t.test('no text looks like a template that lost its back quotes', async (t) => {
  const texts = ['{x}', '{y} \\\\{z}'].map((text) => text.replaceAll('{', '$' + '{'))
  for (const text of texts) {
    t.strictSame(evaluated(sourceOf({ [text]: text })), { [text]: text })
    t.notOk(sourceOf({ [text]: text }).includes('$' + '{'))
  }
})

t.test('expressions stay source text, and a member of their name is short', async (t) => {
  const value = { status: new Source('status'), title: new Source('titles[status]') }
  t.equal(sourceOf(value, { indent: 0 }), '{ status, title: titles[status] }')
})

t.test('a line is broken where it would be too long', async (t) => {
  const text = sourceOf({ a: 'x'.repeat(60), b: 'y'.repeat(60) }, { indent: 2, used: 7 })
  t.equal(text, `{\n    a: '${'x'.repeat(60)}',\n    b: '${'y'.repeat(60)}'\n  }`)
})

t.test('a constant stands for the object that it holds', async (t) => {
  const shared = { least: 1 }
  t.equal(
    sourceOf({ a: [shared], b: { ...shared } }, { names: new Map([[shared, 'x']]) }),
    '{ a: [x], b: { least: 1 } }'
  )
})

t.test('names of properties', async (t) => {
  const rows = ['a$1', '1a', '12', '007', "a'b", '__proto__', 'a-b'] as const
  t.strictSame(rows.map(keyOf), ['a$1', "'1a'", '12', "'007'", '"a\'b"', "['__proto__']", "'a-b'"])
  t.equal(propertyAccess('value', 'a'), 'value.a')
  t.equal(propertyAccess('value', 'a"b'), `value['a"b']`)
})

t.test('a template keeps the lines of a text', async (t) => {
  for (const text of ['a\nb', `\`\${1}\``, '\\', 'a\r\nb', '$', '{$}'])
    t.equal(evaluated(template(text)), text)
})

t.test('a comment has one line, and nothing in it ends it', async (t) => {
  const rows = [
    ['a */ process.exit(1) /*\n b\u0000', 'a *\\/ process.exit(1) /* b'],
    ['a\r\nb\u2028c\u2029d\u0085e\u001b[2J\tf\v\f', 'a b c d e [2J f'],
    ['**/', '**\\/'],
    ['*\u0000/', '* /'],
    ['\u202etxt.\u2066 \ud800', '\ufffdtxt.\ufffd \ufffd'],
    ['Ringelblume 👩\u200d🌾', 'Ringelblume 👩\u200d🌾']
  ] as const
  for (const [text, want] of rows) t.equal(commentText(text), want)
})
