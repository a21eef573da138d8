/** Values as texts of media types other than JSON. */
import t from 'tap'
import { schemaIn } from '../../../src/contract/build/build-contract.ts'
import { bodyText, sampleFile } from '../../../src/tools/mock/body-text.ts'

const document = {
  components: {
    schemas: {
      Book: {
        allOf: [{ properties: { id: { type: 'integer', xml: { attribute: true } } } }],
        properties: {
          title: { type: 'string', xml: { name: 'name', prefix: 'b' } },
          tags: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'tag' } } },
          pages: { type: 'array', xml: { name: 'ignored' }, items: { type: 'integer' } }
        }
      },
      Text: {
        properties: { html: { type: 'string', xml: { nodeType: 'cdata' } } },
        xml: { nodeType: 'none' }
      }
    }
  }
}
/** Types of nodes, as OpenAPI 3.2.0, section 4.26, has them in its examples. */
const animals = {
  type: 'array',
  xml: { nodeType: 'element', name: 'animals', namespace: 'https://a.example/?a&b' },
  items: {
    xml: { name: 'animal' },
    properties: {
      kind: { xml: { nodeType: 'attribute' } },
      name: { xml: { nodeType: 'text' } },
      notes: { type: 'array', xml: { nodeType: 'element', prefix: 'n', namespace: 'urn:n' }, items: {} },
      page: { xml: { nodeType: 'element', name: 'html' }, $ref: '#/components/schemas/Text' }
    }
  }
}
const report = {
  type: 'array',
  xml: { nodeType: 'element', name: 'Report' },
  prefixItems: [{ xml: { nodeType: 'text' } }, { xml: { name: 'data' } }],
  items: { xml: { nodeType: 'none' } }
}
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const book = { id: 7, title: 'a < "b"', tags: ['x', 'y'], pages: [1, 2], '1 odd': null }
const xml =
  '<Book id="7"><b:name>a &#60; &#34;b&#34;</b:name><tags><tag>x</tag><tag>y</tag></tags><pages>1</pages><pages>2</pages><_1_odd></_1_odd></Book>'

for (const [mediaType, value, want, schema] of [
  ['application/xml', book, `${head}${xml}\n`, { $ref: '#/components/schemas/Book' }],
  [
    'application/xml',
    [{ kind: 'Cat', name: 'a<b', notes: ['x'], page: { html: '<p>]]>' } }],
    `${head}<animals xmlns="https://a.example/?a&#38;b"><animal kind="Cat">a&#60;b<n:notes xmlns:n="urn:n"><notes>x</notes></n:notes><html><![CDATA[<p>]]]]><![CDATA[>]]></html></animal></animals>\n`,
    animals
  ],
  ['application/xml', ['a', 4, 'b'], `${head}<Report>a<data>4</data>b</Report>\n`, report],
  ['text/xml', 'already', 'already', undefined],
  ['application/soap+xml', 5, `${head}<root>5</root>\n`, { type: 'integer' }],
  ['application/x-www-form-urlencoded', { a: 1, b: [2], c: 'x y' }, 'a=1&b=%5B2%5D&c=x+y', undefined],
  ['text/event-stream', [{ a: 1n }, 2], 'data: {"a":1}\n\ndata: 2\n\n', undefined],
  ['application/jsonl', [{ a: 1 }, 2], '{"a":1}\n2\n', undefined],
  ['application/x-ndjson', { a: 1 }, '{"a":1}\n', undefined],
  [
    'text/csv',
    [
      { a: 1, b: 'x,"y"' },
      { b: null, c: [1] }
    ],
    'a,b,c\r\n1,"x,""y""",\r\n,,[1]\r\n',
    undefined
  ],
  ['text/csv', [{ b: 1 }], 'a,b\r\n,1\r\n', { type: 'array', items: { properties: { a: {}, b: {} } } }],
  ['text/plain', { a: 1 }, '{"a":1}', undefined]
] as const)
  t.equal(bodyText(value, mediaType, schemaIn(document as never, (schema ?? true) as never)), want, mediaType)

t.ok(Buffer.isBuffer(sampleFile('image/png')))
t.equal(sampleFile('image/none'), undefined)
