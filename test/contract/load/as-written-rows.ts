/** Contracts as people write them, for as-written.test.ts. */

export interface Row {
  readonly name: string
  /** Text of the root file after `info`, in a line of its own; `paths` by default. */
  readonly contract?: string
  readonly version?: '3.0.3' | '3.2.0'
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Every problem: `error`, `warning` or `example`, place and message. */
  readonly problems?: readonly string[]
  /** Pointer into the compiled document, with the value there. */
  readonly at?: string
  readonly becomes?: unknown
}

const ok = "{ '204': { description: done } }"
export const paths = `paths: { /a: { get: { operationId: a, responses: ${ok} } } }\n`

/** Returns an operation whose body has this schema; the schema begins at 4:2. */
const body = (schema: string, media = '') =>
  `paths: { /a: { post: { operationId: a, requestBody: { content: { application/json: { schema:\n ${schema}${media} } } }, responses: ${ok} } } }\n`

const wrongEnum = 'the example must be one of'

const examples: readonly Row[] = [
  {
    name: 'a wrong example beside an enum of numbers',
    contract: body('{ enum: [1, 2], example: 3 }'),
    problems: [`example openapi.yaml:4:27 ${wrongEnum} 1, 2`]
  },
  {
    name: 'a wrong example beside an enum of booleans and null',
    contract: body('{ enum: [true, null], example: false }'),
    problems: [`example openapi.yaml:4:33 ${wrongEnum} true, null`]
  },
  {
    name: 'a wrong example beside an enum of objects, lists and texts',
    contract: body('{ enum: [{ a: 1 }, [b], "1"], example: 1 }'),
    problems: [`example openapi.yaml:4:41 ${wrongEnum} {"a":1}, ["b"], "1"`]
  },
  {
    name: 'a wrong example beside a nullable enum of OpenAPI 3.0',
    version: '3.0.3',
    contract: body('{ type: integer, nullable: true, enum: [1, null], example: 3 }'),
    problems: [`example openapi.yaml:4:61 ${wrongEnum} 1, null`]
  },
  {
    name: 'a wrong member of an example of a media type',
    contract: body('{ properties: { n: { enum: [1] } } }', ', examples: { one: { value: { n: 3 } } }'),
    problems: [`example openapi.yaml:4:71 ${wrongEnum} 1 at \`n\``]
  },
  {
    name: 'a wrong example beside a long enum',
    contract: body(`{ enum: [${Array.from({ length: 300 }, (_, index) => index)}], example: -1 }`),
    problems: [`example openapi.yaml:4:1112 ${wrongEnum} 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 290 more`]
  }
]

/** Members that a schema has not, or has with another meaning. */
const value =
  '{ a: null, pattern: "(?i)a", required: true, type: null, nullable: true, $ref: my%20x.yaml#/a%7E1b }'
const written = {
  ...{ a: null, pattern: '(?i)a', required: true, type: null, nullable: true },
  $ref: 'my%20x.yaml#/a%7E1b'
}
const schemaAt = '/paths/~1a/post/requestBody/content/application~1json'

const data: readonly Row[] = [
  {
    name: 'an example in a file of its own',
    contract: body('{}', ', examples: { one: { $ref: ./one.yaml } }'),
    files: { 'one.yaml': `summary: One\nvalue: ${value}\n` },
    at: '/components/examples/one/value',
    becomes: written
  },
  {
    name: 'examples in one file, one reached from a second file after it was read',
    contract: 'paths: { /a: { $ref: a.yaml }, /b: { $ref: folder/b.yaml } }\n',
    files: {
      'a.yaml': `get: { operationId: a, responses: { '200': { description: d, content: { a/b: { examples: { x: { $ref: 'e.yaml#/x' } } } } } } }`,
      'folder/b.yaml': `get: { operationId: b, responses: { '200': { description: d, content: { a/b: { examples: { y: { $ref: '../e.yaml#/y' } } } } } } }`,
      'e.yaml': `x: { value: ${value} }\ny: { value: ${value} }\n`
    },
    at: '/components/examples/y/value',
    becomes: written
  },
  {
    name: 'an example beside a schema in one file',
    contract: body("{ $ref: 'parts.yaml#/value' }", ", examples: { one: { $ref: 'parts.yaml#/one' } }"),
    files: { 'parts.yaml': `one: { value: ${value} }\nvalue: { type: string, pattern: (?i)a }\n` },
    problems: [
      'example parts.yaml:1:15 the example must be of type string',
      'warning parts.yaml:2:24 pattern (?i)a is no regular expression of ECMA-262: it is read as (?i:a)'
    ],
    at: '/components/examples/one/value',
    becomes: written
  },
  {
    name: 'a map of examples in a file of its own',
    contract: body('{}', ', examples: { $ref: ./all.yaml }'),
    files: { 'all.yaml': `one:\n  value: ${value}\n` },
    at: `${schemaAt}/examples/one/value`,
    becomes: written
  },
  {
    name: 'an example by externalValue',
    contract: body('{}', ', examples: { one: { externalValue: one.yaml } }'),
    files: { 'one.yaml': '{ a: null, pattern: (?i)a, required: true, type: null, nullable: true }' },
    at: `${schemaAt}/examples/one/value`,
    becomes: { a: null, pattern: '(?i)a', required: true, type: null, nullable: true }
  },
  {
    name: 'dataValue of an example in a file of its own',
    version: '3.2.0',
    contract: body('{}', ', examples: { one: { $ref: ./one.yaml } }'),
    files: { 'one.yaml': `dataValue: ${value}\n` },
    at: '/components/examples/one/dataValue',
    becomes: written
  },
  {
    name: 'the request body of a link, and of one in a file of its own',
    contract: `paths: { /a: { get: { operationId: a, responses: { '200': { description: d, links: { b: { operationId: a, requestBody: ${value} }, c: { $ref: c.yaml } } } } } } }\n`,
    files: { 'c.yaml': `operationId: a\nrequestBody: ${value}\n` },
    at: '/components/links/c/requestBody',
    becomes: written
  },
  {
    name: 'properties that are called like members of an example',
    contract: body('{ $ref: ./s.yaml }'),
    files: { 's.yaml': 'properties: { value: { nullable: true }, examples: { pattern: (?i)a } }\n' },
    problems: [
      "warning s.yaml:1:24 `nullable` has no effect since OpenAPI 3.1: add type 'null'",
      'warning s.yaml:1:54 pattern (?i)a is no regular expression of ECMA-262: it is read as (?i:a)'
    ]
  }
]

const one = { const: 1 }

/** A reference to another file, or to a part of it, with the component that it leads to. */
const leads = (reference: string, file: string, text: string, component: string): Row => ({
  name: `the reference ${reference}`,
  contract: `${paths}components: { schemas: { A: { properties: { a: { $ref: '${reference}' } } } } }\n`,
  files: { [file]: text },
  at: `/components/schemas/${component}`,
  becomes: one
})

const nowhere = (reference: string, reason: string): Row => ({
  name: `the reference ${reference}, which leads nowhere`,
  contract: `${paths}components: { schemas: { A: { $ref: '${reference}' } } }\n`,
  files: { 'my other.yaml': 'a/b: { const: 1 }\n' },
  problems: [`error openapi.yaml:4:29 Can't resolve $ref ${reference}${reason}`]
})

const references: readonly Row[] = [
  leads('other.yaml#/a~1b', 'other.yaml', 'a/b: { const: 1 }\n', 'a~1b'),
  leads('other.yaml#/a~0b', 'other.yaml', 'a~b: { const: 1 }\n', 'a~0b'),
  leads('other.yaml#/a%7E1b', 'other.yaml', 'a/b: { const: 1 }\n', 'a~1b'),
  leads('other.yaml#/~001', 'other.yaml', '~01: { const: 1 }\n', '~001'),
  leads('other.yaml#/x~1y/a~0b', 'other.yaml', 'x/y: { a~b: { const: 1 } }\n', 'a~0b'),
  leads('other.yaml#/a%20b', 'other.yaml', 'a b: { const: 1 }\n', 'a b'),
  leads('other.yaml#/100%25', 'other.yaml', '100%: { const: 1 }\n', '100%'),
  leads('my%20other.yaml', 'my other.yaml', 'const: 1\n', 'my other'),
  leads('my other.yaml', 'my other.yaml', 'const: 1\n', 'my other'),
  leads('./my%20dir/a.yaml#/a~1b', 'my dir/a.yaml', 'a/b: { const: 1 }\n', 'a~1b'),
  leads('a%23b.yaml', 'a#b.yaml', 'const: 1\n', 'a#b'),
  leads('50%25.yaml', '50%.yaml', 'const: 1\n', '50%'),
  leads('50%.yaml', '50%.yaml', 'const: 1\n', '50%'),
  leads('as%20written.yaml', 'as%20written.yaml', 'const: 1\n', 'as written'),
  nowhere('my%20othr.yaml', ': ENOENT, there is no such file'),
  nowhere('my%20other.yaml#/a~1c', ''),
  {
    name: 'components of the author keep their names beside one that is named by an escaped pointer',
    contract: `${paths}components: { schemas: { a/b: { $ref: 'o.yaml#/a~1b' }, B: { $ref: '#/components/schemas/a~1b' }, a/c: { const: 2 }, C: { $ref: 'o.yaml#/a~1c' }, D: { $ref: '#/components/schemas/a~1c' } } }\n`,
    files: { 'o.yaml': 'a/b: { const: 1 }\na/c: { const: 3 }\n' },
    at: '/components/schemas',
    becomes: {
      'a/b': { $ref: '#/components/schemas/a~1b-2' },
      B: { $ref: '#/components/schemas/a~1b-2' },
      'a/c': { const: 2 },
      C: { $ref: '#/components/schemas/a~1c-2' },
      D: { $ref: '#/components/schemas/a~1c' },
      'a/b-2': { const: 1 },
      'a/c-2': { const: 3 }
    }
  },
  {
    name: 'names that are equal once they are decoded',
    contract: `${paths}components: { schemas: { C: { $ref: 'o.yaml#/pc%2541' }, D: { $ref: 'o.yaml#/pcA' } } }\n`,
    files: { 'o.yaml': 'pcA: { const: 1 }\npc%41: { const: 2 }\n' },
    at: '/components/schemas/C',
    becomes: { $ref: '#/components/schemas/pcA-2' }
  }
]

const stricter =
  'this line of a flow collection or quoted text is indented no more than its key: libyaml reads it, YAML 1.2 (section 8.2.3) does not'

/** A text of the root file from line 4, the lines of which YAML 1.2 is stricter, and the value of `x-a` in it. */
const lenient = (name: string, text: string, places: readonly string[], becomes: unknown): Row => ({
  name: `YAML: ${name}`,
  contract: `${paths}${text}`,
  problems: places.map((place) => `warning openapi.yaml:${place} ${stricter}`),
  at: '/x-a',
  becomes
})

const refusedYaml = (name: string, text: string, problem: string): Row => ({
  name: `YAML: ${name}`,
  contract: `${paths}${text}`,
  problems: [`error openapi.yaml:${problem}`]
})

const yaml: readonly Row[] = [
  lenient('a bracket in the column of its key', 'x-a: [\n  a,\n  b\n]\n', ['7:1'], ['a', 'b']),
  lenient('a brace in the column of its key', 'x-a:\n  b: {\n    c: 1\n  }\n', ['7:3'], { b: { c: 1 } }),
  lenient('items in the column of the key', 'x-a:\n  b: [\n  1,\n 2]\n', ['6:3', '7:2'], { b: [1, 2] }),
  lenient(
    'a bracket in the column of its dash',
    'x-a:\n- [\n  1\n]\n- - k: {\n  l: 1\n    }\n',
    ['7:1', '9:3', '10:5'],
    [[1], [{ k: { l: 1 } }]]
  ),
  lenient('double quotes', 'x-a: "one\n\ntwo \\\nthree"\n', ['6:1', '7:1'], 'one\ntwo three'),
  lenient('single quotes', "x-a:\n  b: 'it''s\n  one'\n", ['6:3'], { b: "it's one" }),
  lenient('comments and blank lines', 'x-a: [\n# c\n\n  1 # d\n]\n', ['5:1', '8:1'], [1]),
  lenient('tabs', 'x-a: {\n\tb: "c\n\td"\n\t}\n', ['5:1', '6:1', '7:1'], { b: 'c d' }),
  lenient('a text without quotes', 'x-a: [ one\ntwo, three ]\n', ['5:1'], ['one two', 'three']),
  lenient('an anchor, a tag and an alias', 'x-b: &b !!map {\n}\nx-a: *b\n', ['5:1'], {}),
  lenient('a block text is no flow', 'x-a: |\n  [\n  "\nx-b: [\n]\n', ['8:1'], '[\n"\n'),
  {
    name: 'YAML: a second file',
    contract: body('{ $ref: a.yaml }'),
    files: { 'a.yaml': 'enum: [\n  a\n]\n' },
    problems: [`warning a.yaml:3:1 ${stricter}`],
    at: '/components/schemas/a',
    becomes: { enum: ['a'] }
  },
  refusedYaml(
    'an open quote',
    'x-a: "one\nx-b: "two"\n',
    '5:1 deficient indentation, or a quote is open above'
  ),
  refusedYaml(
    'an open bracket',
    'x-a: [\n1,\nx-b: 1\n',
    '5:1 deficient indentation, or a quote is open above'
  ),
  refusedYaml(
    'the end of a document in quotes',
    'x-a: "one\n---\ntwo"\n',
    '5:1 deficient indentation, or a quote is open above'
  ),
  {
    name: 'YAML: a second file with a mistake is not suggested in its own place',
    contract: body('{ $ref: ./a.yaml }'),
    files: { 'a.yaml': 'enum: [\n  a\nb: 1\n' },
    problems: [
      'error a.yaml:3:1 Failed to parse: deficient indentation, or a quote is open above',
      "error openapi.yaml:4:2 Can't resolve $ref ./a.yaml: deficient indentation, or a quote is open above"
    ]
  }
]

const notSchema = (name: string, at: string, kind: string): string =>
  `error openapi.yaml:${at} \`${name}\` must be a schema, an object or a boolean: it is ${kind}`

/** A schema, and the problems that it has. */
const schema = (text: string, ...problems: readonly string[]): Row => ({
  name: `the schema ${text}`,
  contract: body(text),
  problems
})

const places: readonly Row[] = [
  schema('[{ type: string }]', notSchema('schema', '3:86', 'a list')),
  schema('text', notSchema('schema', '3:86', 'the text "text"')),
  schema('null', notSchema('schema', '3:86', 'null')),
  schema('{ properties: { a: [1] } }', notSchema('a', '4:18', 'a list')),
  schema('{ properties: { a: text } }', notSchema('a', '4:18', 'the text "text"')),
  schema('{ properties: { a: null } }', notSchema('a', '4:18', 'null')),
  schema('{ items: [1] }', notSchema('items', '4:4', 'a list')),
  schema('{ not: 5 }', notSchema('not', '4:4', 'the number 5')),
  schema('{ oneOf: [{ type: string }, [1]] }', notSchema('1', '4:30', 'a list')),
  schema('{ $defs: { a: { if: [1] } } }', notSchema('if', '4:18', 'a list')),
  schema(
    '{ allOf: { type: string } }',
    'error openapi.yaml:4:4 `allOf` must be a list of schemas: it is an object'
  ),
  schema(
    '{ properties: [a] }',
    'error openapi.yaml:4:4 `properties` must be an object of schemas by name: it is a list'
  ),
  {
    name: 'a list in place of the schema of a parameter',
    contract: `paths: { /a: { get: { operationId: a, responses: ${ok}, parameters: [{ in: query, name: q,\n schema: [1] }] } } }\n`,
    problems: [notSchema('schema', '4:2', 'a list')]
  },
  {
    name: 'a list in place of the schema of a header',
    contract: `paths: { /a: { get: { operationId: a, responses: { '200': { description: d, headers: { X-A: {\n schema: [1] } } } } } } }\n`,
    problems: [notSchema('schema', '4:2', 'a list')]
  },
  {
    name: 'a list in place of a schema in a second file',
    contract: body('{ $ref: s.yaml }'),
    files: { 's.yaml': 'properties:\n  a:\n    - type: string\n' },
    problems: ['error s.yaml:2:3 `a` must be a schema, an object or a boolean: it is a list']
  },
  schema(
    '{ properties: { a: {} }, example: { a: 1, b: 2, c: 3 } }',
    'example openapi.yaml:4:44 the example has `b`, which its schema does not declare',
    'example openapi.yaml:4:50 the example has `c`, which its schema does not declare'
  ),
  schema(
    '{ properties: { a: { properties: { c: {} } } }, example: { a: { b: 1 } } }',
    'example openapi.yaml:4:66 the example has `b` in `a`, which its schema does not declare'
  ),
  schema(
    '{ additionalProperties: false, properties: { a: {} }, example: { b: 1 } }',
    'example openapi.yaml:4:67 the example has `b`, which its schema does not allow'
  )
]

/** A query parameter with an `allowEmptyValue`, and whether the compiler says that it has no effect. */
const empty = (text: string, isRefused: boolean, more = ''): Row => ({
  name: `allowEmptyValue of ${text}${more}`,
  contract: `paths: { /a: { get: { operationId: a, responses: ${ok}, parameters: [{ in: query, name: q,\n allowEmptyValue: true, schema: ${text}${more} }] } } }\n`,
  problems: isRefused
    ? [
        'warning openapi.yaml:4:2 allowEmptyValue of q has no effect: an empty value is an empty text, which its schema refuses'
      ]
    : []
})

const emptyValues: readonly Row[] = [
  empty('{ type: integer }', true),
  empty('{ type: boolean }', true),
  empty('{ enum: [asc, desc] }', true),
  empty('{ type: string, minLength: 1 }', true),
  empty('{ type: array, items: { type: integer } }', true),
  empty('{ type: string }', false),
  empty('{}', false),
  empty('{ type: [integer, "null"] }', false),
  empty('{ type: array, items: { type: string } }', false),
  empty('{ type: array, items: { type: integer } }', false, ', explode: false')
]

const texts: readonly Row[] = [
  {
    name: 'descriptions by reference to files that are not read',
    contract: `tags: [{ name: a,\n description: { $ref: a.md } }]\npaths: { /a: { $ref: a.yaml } }\n`,
    files: {
      'a.md': 'text',
      'a.yaml': `get: { operationId: a,\n description: { $ref: 'https://a.example/a.md' },\n summary: { $ref: ./none.md },\n responses: { '204': {\n description: { $ref: ../a.txt } } } }\n`
    },
    problems: [
      'warning a.yaml:2:2 `description` is a $ref to https://a.example/a.md, which is not read: write the text itself',
      'warning a.yaml:3:2 `summary` is a $ref to ./none.md, which is not read: write the text itself',
      'warning a.yaml:5:2 `description` is a $ref to ../a.txt, which is not read: write the text itself',
      'warning openapi.yaml:4:2 `description` is a $ref to a.md, which is not read: write the text itself'
    ],
    at: '/paths/~1a/get/responses/204/description',
    becomes: ''
  },
  {
    name: 'a description by reference to a YAML file, and a property of that name',
    contract: body('{ properties: { description: { $ref: a.yaml } }, description: { $ref: t.yaml } }'),
    files: { 'a.yaml': 'type: string\n', 't.yaml': 'A text\n' },
    at: `${schemaAt}/schema/description`,
    becomes: 'A text'
  },
  ...[
    'https://a.example/b.yaml#/A',
    'HTTP://a.example/b',
    '//a.example/b.yaml',
    'ftp://a.example/b.yaml',
    'urn:a:b'
  ].map(
    (url): Row => ({
      name: `the URL ${url}`,
      contract: body(`{ $ref: '${url}' }`),
      problems: [
        `error openapi.yaml:4:2 Can't resolve $ref ${url}: references to URLs are not followed: save the file beside the contract, as with curl -O, or bundle the contract, as with npx @redocly/cli bundle`
      ]
    })
  )
]

export const rows: readonly Row[] = [
  ...examples,
  ...data,
  ...references,
  ...yaml,
  ...places,
  ...emptyValues,
  ...texts
]
