import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { type Json, request, serve } from '../../serve.ts'

const binary: Json = { type: 'string', format: 'binary' }
const document: Json = {
  paths: {
    '/files': {
      post: {
        operationId: 'files',
        'x-body-limit': 500,
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { file: binary, files: { type: 'array', items: binary } }
              }
            }
          }
        },
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
      }
    }
  }
}

interface File {
  readonly filename: string | undefined
  readonly mediaType: string | undefined
}
type Files = Readonly<Record<string, (Buffer & File) | readonly (Buffer & File)[]>>

let received: Files = {}
const handlers = {
  files: ({ body }: { body: Files }) => {
    received = body
    return { status: 200, body: 'done' }
  }
}
const type = { 'Content-Type': 'multipart/form-data; boundary=b' }

function upload(...parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`)
}

const { ask } = await serve(t, document, { handlers })
const disposition = 'Content-Disposition: form-data'
const shown = (file: Buffer & File): [string, string | undefined, string | undefined] => [
  String(file),
  file.filename,
  file.mediaType
]

t.test('a handler gets the bytes of a part with its file name and media type', async (t) => {
  const rows: [headers: string, filename: string | undefined, mediaType: string | undefined][] = [
    [`${disposition}; name=file`, undefined, undefined],
    [`${disposition}; name="file"; filename="a b.png"\r\nContent-Type: image/png`, 'a b.png', 'image/png'],
    [`${disposition}; name="file"; filename=""\r\nContent-Type: Image/PNG; a=1`, '', 'image/png'],
    [`${disposition}; name="file"; filename="C:\\\\docs\\\\a.txt"`, 'a.txt', undefined],
    [`${disposition}; name="file"; filename="../../etc/passwd"`, 'passwd', undefined],
    [`${disposition}; name="file"; filename="naïve \\"x\\".txt"`, 'naïve "x".txt', undefined],
    [`${disposition}; name="file"; filename="x"; filename*=UTF-8''na%C3%AFve.txt`, 'naïve.txt', undefined],
    [`${disposition}; name="file"; filename="x"; filename*=UTF-8''%zz`, 'x', undefined],
    [`${disposition}; name="file"; filename*=UTF-8''..%2F..%5Ca.txt`, 'a.txt', undefined],
    [`${disposition}; name="file"; filename="...a"`, '...a', undefined],
    [`${disposition}; name="file"; filename="x"; filename*=latin1''a`, 'x', undefined],
    [`content-type: nonsense\r\ncontent-disposition:Form-Data;name="file"`, undefined, undefined]
  ]
  for (const [headers, filename, mediaType] of rows) {
    const answer = await ask(request('POST /files', upload(`${headers}\r\n\r\nbytes`), type))
    t.equal(answer.status, 200, headers)
    t.same(shown(received['file'] as Buffer & File), ['bytes', filename, mediaType], headers)
  }
  t.ok(isDeepStrictEqual({ ...received }, { file: Buffer.from('bytes') }), 'it is a Buffer like any other')
})

t.test('a name that is a folder, or that holds a control character or a line break, is none', async (t) => {
  const encoded = [
    'a%00.txt',
    'a%0D%0AX%3A%20y',
    '%0a',
    'a%7F',
    'a%C2%85',
    'a%E2%80%A8b',
    'a%E2%80%A9',
    'b%2F..',
    '%2E%2E',
    '.'
  ]
  const plain = [
    '..',
    '.',
    'a/..',
    'a\\\\..',
    '../.',
    'a\0b',
    'a\tb',
    '\x1b[2J',
    '\x7f',
    'a\u2028b',
    'a\u0085b'
  ]
  const parts = [
    ...encoded.map((name) => `filename="x"; filename*=UTF-8''${name}`),
    ...plain.map((name) => `filename="${name}"`)
  ]
  for (const filename of parts) {
    const sent = upload(`${disposition}; name="file"; ${filename}\r\n\r\nbytes`)
    const about = encodeURIComponent(filename)
    const { status } = await ask(request('POST /files', sent, type))
    // A header with raw control characters is malformed.
    if (['\0', '\x1b', '\x7f'].some((control) => filename.includes(control))) {
      t.equal(status, 400, about)
      continue
    }
    t.equal(status, 200, about)
    t.same(shown(received['file'] as Buffer & File), ['bytes', undefined, undefined], about)
    // A part with any name is a file, also where the contract does not describe it.
    const undeclared = upload(`${disposition}; name="other"; ${filename}\r\n\r\nbytes`)
    await ask(request('POST /files', undeclared, type))
    t.ok(Buffer.isBuffer(received['other']), about)
  }
})

t.test('each part of a list has its own, in the order of the parts', async (t) => {
  const part = (name: string) =>
    `${disposition}; name="files"; filename="${name}"\r\nContent-Type: text/${name}\r\n\r\n`
  await ask(request('POST /files', upload(`${part('a')}1`, `${part('b')}22`, part('c')), type))
  t.same(
    [received['files']].flat().map((file) => shown(file as Buffer & File)),
    [
      ['1', 'a', 'text/a'],
      ['22', 'b', 'text/b'],
      ['', 'c', 'text/c']
    ]
  )
})

t.test('a part without a name is refused', async (t) => {
  for (const headers of [
    'Content-Type: text/plain',
    `${disposition}; filename="a"`,
    'Content-Disposition: attachment; name="a"'
  ]) {
    const answer = await ask(request('POST /files', upload(`${headers}\r\n\r\nbytes`), type))
    t.match(answer, { status: 400, value: { code: 'malformed-body' } }, headers)
  }
})

t.test('the limit of the operation holds for a body in chunks, too', async (t) => {
  const chunk = Buffer.from(`64\r\n${'x'.repeat(100)}\r\n`)
  const head = request('POST /files', undefined, { ...type, 'Transfer-Encoding': 'chunked' })
  const answer = await ask(Buffer.concat([head, ...Array.from({ length: 6 }, () => chunk)]))
  t.match(answer, { status: 413, value: { message: 'the body is larger than 500 bytes' } })
})
