/** Bodies of forms, uploads and many media types: requests to the contracts of these names, and what is expected. */
import type { Exchange } from './exchanges.ts'

function forms(): Exchange[] {
  const form = (body: string, want: number, more: Partial<Exchange> = {}): Exchange => ({
    send: 'POST /form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    want,
    ...more
  })
  const upload = (parts: readonly string[], want: number, more: Partial<Exchange> = {}): Exchange => ({
    send: 'POST /upload',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`,
    want,
    ...more
  })
  const file = 'name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\nbytes'
  const several = (text: string) =>
    `name="files"; filename="${text}"\r\nContent-Type: application/octet-stream\r\n\r\n${text}`
  const count = 'name="count"\r\n\r\n3'

  const json = 'Content-Type: application/json\r\n'
  const uploaded = (more: object): Partial<Exchange> => ({
    seen: { body: { file: Buffer.from('bytes'), count: 3, ...more } }
  })

  const city = encodeURIComponent('{"city":"B","id":9007199254740993}')
  const addressed = (body: string, want: number, more: Partial<Exchange> = {}): Exchange => ({
    ...form(body, want, more),
    send: 'POST /addresses'
  })
  const address = { city: 'B', id: 9007199254740993n }
  /** Without style, explode and allowReserved an object is JSON (OpenAPI 3.1.0, sections 4.8.14.4 and 4.8.15.1). */
  const addresses = [
    addressed(`address=${city}`, 204, { seen: { body: { address } } }),
    addressed(`address=${city}&others=%7B%22city%22:%22B%22%7D&others=%7B%22city%22:%22C%22%7D`, 204, {
      seen: { body: { address, others: [{ city: 'B' }, { city: 'C' }] } }
    }),
    addressed(`address=${city}&deep[a]=1&b=2`, 204, {
      seen: { body: { address, deep: { a: 1 }, spread: { b: 2 } } }
    }),
    addressed(`address=${city}&either=home`, 204, { seen: { body: { address, either: 'home' } } }),
    addressed(`address=${city}&either=%7B%22city%22:%22C%22%7D`, 204, {
      seen: { body: { address, either: { city: 'C' } } }
    }),
    addressed(`address=${city}&work=%7B%22city%22:%22C%22%7D`, 204, {
      seen: { body: { address, work: { city: 'C' } } }
    }),
    addressed('address=%7B%7D', 400, { message: 'body/address/city is required' }),
    addressed(`address=${city}&others=%7B%7D`, 400, { message: 'body/others/0/city is required' }),
    addressed(`address=${city}&others=x`, 400, { message: 'body/others is not valid JSON' }),
    addressed('b=2', 400, { message: 'body/address is required' })
  ]

  return [
    form('name=a+b&age=9007199254740993&tags=x&tags=y&joined=1,2&meta=%7B%22a%22%3A1%7D', 204, {
      seen: {
        body: { name: 'a b', age: 9007199254740993n, tags: ['x', 'y'], joined: [1, 2], meta: { a: 1 } }
      }
    }),
    ...addresses,
    { ...form('code=5', 204), send: 'POST /composed', seen: { body: { code: 5 } } },
    { ...form('code=true', 400), send: 'POST /composed', message: 'body/code must be' },
    {
      ...upload(['name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes'], 204),
      send: 'POST /bytes',
      seen: { body: { image: Buffer.from('bytes') } }
    },
    {
      ...upload(['name="note"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nYnl0ZXM='], 204),
      send: 'POST /bytes',
      seen: { body: { note: 'Ynl0ZXM=' } }
    },
    {
      ...upload(['name="n_a"\r\n\r\n5'], 204),
      send: 'POST /bytes',
      seen: { body: { n_a: 5 } }
    },
    {
      ...upload(['name="maybe"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes'], 204),
      send: 'POST /bytes',
      seen: { body: { maybe: Buffer.from('bytes') } }
    },
    form('name=a&__proto__=x&toString=y', 204),
    form('age=1', 400, { message: 'body/name is required' }),
    form('name=a&age=x', 400, { message: 'body/age must be integer' }),
    form('name=a&name=b', 400, { message: 'body/name is given more than once' }),
    form('name=a&meta=%7B', 400, { message: 'body/meta is not valid JSON' }),
    upload([file, count], 204, { seen: { body: { file: Buffer.from('bytes'), count: 3 } } }),
    upload([file, count, 'name="meta"\r\n\r\n{"a":1,"id":1}'], 204, uploaded({ meta: { a: 1, id: 1n } })),
    upload([file, count, `name="meta"\r\n${json}\r\n{"a":1}`], 204, uploaded({ meta: { a: 1 } })),
    upload(
      [file, count, `name="meta"; filename="blob"\r\n${json}\r\n{"a":1}`],
      204,
      uploaded({ meta: { a: 1 } })
    ),
    upload([file, count, 'name="metas"\r\n\r\n{"id":1}', 'name="metas"\r\n\r\n{"id":2}'], 204, {
      ...uploaded({ metas: [{ id: 1n }, { id: 2n }] })
    }),
    upload([file, count, 'name="metas"\r\n\r\n[{"id":1}]'], 204, uploaded({ metas: [{ id: 1n }] })),
    upload([file, count, 'name="metas"\r\n\r\n{"id":"x"}'], 400, {
      message: 'body/metas/0/id must be integer'
    }),
    upload([file, count, 'name="metas"\r\n\r\n{'], 400, { message: 'body/metas is not valid JSON' }),
    upload(
      [file, count, `name="tags"\r\n${json}\r\n"a"`, 'name="tags"\r\n\r\n"b"'],
      204,
      uploaded({ tags: ['a', 'b'] })
    ),
    upload([file, count, 'name="text"; filename="a.txt"\r\n\r\nhello'], 204, uploaded({ text: 'hello' })),
    upload([file, count, `name="text"\r\n${json}\r\n"hello"`], 204, uploaded({ text: 'hello' })),
    upload([file, count, `name="text"\r\n${json}\r\n"hello`], 400, {
      message: 'body/text is not valid JSON'
    }),
    upload([file, count, 'name="text"\r\n\r\nhello!'], 400, {
      message: 'body/text must have at most 5 characters'
    }),
    upload([file, count, 'name="octets"\r\n\r\nhello'], 204, uploaded({ octets: Buffer.from('hello') })),
    upload([file, count, 'name="octets"\r\n\r\nhello!'], 400, {
      message: 'body/octets must have at most 5 bytes'
    }),
    upload([file, count, 'name="picture"\r\n\r\n12'], 204, uploaded({ picture: Buffer.from('12') })),
    upload([file, count, 'name="picture"\r\n\r\n1'], 400, {
      message: 'body/picture must have at least 2 bytes'
    }),
    upload([file, count, 'name="image"\r\n\r\n12'], 204, uploaded({ image: Buffer.from('12') })),
    upload([file, count, 'name="anything"\r\n\r\n12'], 204, uploaded({ anything: '12' })),
    upload(
      [file, count, 'name="anything"; filename="a"\r\n\r\n12'],
      204,
      uploaded({ anything: Buffer.from('12') })
    ),
    upload(['name="file"\r\n\r\nbytes', count], 204, uploaded({})),
    upload([file, count, 'name="files"\r\n\r\na', 'name="files"; filename="b"\r\n\r\nb'], 204, {
      ...uploaded({ files: [Buffer.from('a'), Buffer.from('b')] })
    }),
    { send: 'POST /upload', body: { picture: 'ab' }, want: 204, seen: { body: { picture: 'ab' } } },
    {
      send: 'POST /upload',
      body: { picture: 'a' },
      want: 400,
      message: 'body/picture must have at least 2 char'
    },
    {
      ...upload(['name="a"\r\n\r\n12', 'name="b"; filename="b"\r\n\r\n34'], 204),
      send: 'POST /map',
      seen: { body: { a: Buffer.from('12'), b: Buffer.from('34') } }
    },
    {
      ...upload(['name="a"\r\n\r\n1'], 400),
      send: 'POST /map',
      message: 'body/a must have at least 2 bytes'
    },
    {
      ...form('name=1&a=2&b=9007199254740993', 204),
      send: 'POST /map',
      seen: { body: { name: '1', a: 2n, b: 9007199254740993n } }
    },
    { ...form('a=x', 400), send: 'POST /map', message: 'body/a must be integer' },
    {
      send: 'POST /mixed',
      headers: { 'content-type': 'multipart/mixed; boundary=x' },
      body: '--x--',
      want: 204,
      seen: { body: Buffer.from('--x--') }
    },
    upload([file, count, 'name="meta"\r\n\r\n{}'], 400, { message: 'body/meta/a is required' }),
    upload([file, count, several('a'), several('b')], 204, {
      seen: { body: { file: Buffer.from('bytes'), count: 3, files: [Buffer.from('a'), Buffer.from('b')] } }
    }),
    upload([file, count, 'name="sizes"\r\n\r\n[1,2]'], 204, {
      seen: { body: { file: Buffer.from('bytes'), count: 3, sizes: [1, 2] } }
    }),
    upload([file], 400, { message: 'body/count is required' }),
    upload([file, 'name="count"\r\n\r\n0'], 400, { message: 'body/count must be >= 1' }),
    upload([count], 400, { message: 'body/file is required' }),
    { send: 'POST /upload', headers: { 'content-type': 'multipart/form-data' }, body: 'x', want: 400 }
  ]
}

function mediaTypes(): Exchange[] {
  const ok = { status: 200, body: { a: 1, extra: 2 } }

  const textJson = { 'content-type': 'text/json; charset=utf-8', accept: 'text/json' }

  return [
    {
      send: 'POST /text-json',
      headers: textJson,
      body: '{"a":9007199254740993}',
      answer: ok,
      want: 200,
      seen: { body: { a: 9007199254740993n }, mediaType: 'text/json' },
      got: '{"a":1}',
      gotHeaders: { 'content-type': 'text/json' }
    },
    {
      send: 'POST /text-json',
      headers: textJson,
      body: '{"a":"x"}',
      want: 400,
      message: 'body/a must be integer'
    },
    {
      send: 'POST /text-json',
      headers: { 'content-type': 'application/vnd.a+json' },
      body: '{}',
      want: 415,
      message: 'send text/json'
    },
    {
      send: 'POST /documents',
      body: { a: 1 },
      answer: ok,
      want: 200,
      seen: { mediaType: 'application/json' },
      got: { a: 1 },
      gotHeaders: { 'content-type': 'application/json' }
    },
    {
      send: 'POST /documents',
      headers: { accept: 'text/csv' },
      answer: { status: 200, body: 'a\n1' },
      want: 200,
      got: 'a\n1',
      gotHeaders: { 'content-type': 'text/csv; charset=utf-8' }
    },
    { send: 'POST /documents', headers: { accept: 'image/png' }, answer: ok, want: 406 },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'APPLICATION/JSON; charset=UTF-8' },
      body: '{"a":1}',
      answer: ok,
      want: 200
    },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'application/vnd.thing+json;version=2' },
      body: '{"b":1}',
      answer: ok,
      want: 200,
      seen: { mediaType: 'application/vnd.thing+json; version=2' }
    },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'application/vnd.thing+json;version=2' },
      body: '{"a":1}',
      want: 400,
      message: 'body/b is required'
    },
    { send: 'POST /documents', headers: { 'content-type': 'application/xml' }, body: '<a/>', want: 415 },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
      answer: ok,
      want: 200,
      seen: { body: 'hello' }
    },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'text/plain' },
      body: 'hello!',
      want: 400,
      message: 'body must have at most 5 characters'
    },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from([0xff]),
      want: 400
    },
    {
      send: 'POST /documents',
      headers: { 'content-type': 'image/png' },
      body: Buffer.from([1, 255]),
      answer: ok,
      want: 200,
      seen: { body: Buffer.from([1, 255]) }
    },
    { send: 'POST /documents', headers: { 'content-encoding': 'gzip' }, body: { a: 1 }, want: 415 },
    { send: 'POST /documents', headers: { 'content-type': 'text/html' }, body: 'x', want: 415 },
    {
      send: 'POST /anything',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      answer: { status: 200, body: { x: 1 } },
      want: 200,
      seen: { body: { a: 1 } },
      got: { x: 1 },
      gotHeaders: { 'content-type': 'application/json' }
    },
    {
      send: 'POST /anything',
      headers: { 'content-type': 'a/b' },
      body: 'zz',
      answer: { status: 200, body: 'text' },
      want: 200,
      seen: { body: Buffer.from('zz') },
      got: 'text'
    },
    { send: 'POST /anything', want: 400, message: 'a body is required' },
    {
      send: 'POST /anything',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      answer: { status: 200, body: 'x', headers: { 'content-type': 'text/plain' } },
      want: 200,
      seen: { body: { a: '1' } }
    },
    {
      send: 'PUT /bytes',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from([0, 1]),
      answer: { status: 200, body: Buffer.from('ab') },
      want: 200,
      seen: { body: Buffer.from([0, 1]) },
      got: 'ab'
    },
    { send: 'PUT /bytes', body: { a: 1 }, want: 415 }
  ]
}

function uploads(): Exchange[] {
  interface Sent {
    readonly name: string
    readonly type?: string
    readonly text?: string
    readonly more?: string
  }

  const upload = (want: number, parts: readonly Sent[], more: Partial<Exchange> = {}): Exchange => {
    const texts = parts.map(({ name, type, text = 'bytes', more = '' }) => {
      const contentType = type === undefined ? '' : `\r\nContent-Type: ${type}`
      return `--x\r\nContent-Disposition: form-data; name="${name}"; filename="f"${contentType}${more}\r\n\r\n${text}\r\n`
    })
    return {
      send: 'POST /photos',
      headers: { 'content-type': 'multipart/form-data; boundary="x"' },
      body: `${texts.join('')}--x--\r\n`,
      want,
      ...more
    }
  }
  const taken = (part: Sent, value: unknown = Buffer.from('bytes')): Exchange =>
    upload(204, [part], { seen: { body: { [part.name]: value } } })
  const refused = (part: Sent, message: string): Exchange => upload(415, [part], { message })
  const text = (send: string, length: number, want: number, type = 'text/plain'): Exchange => ({
    send: `POST ${send}`,
    headers: { 'content-type': type },
    body: type === 'application/json' ? `"${'x'.repeat(length - 2)}"` : 'x'.repeat(length),
    want
  })
  const parted = (send: string, length: number, want: number): Exchange => ({
    ...upload(want, [{ name: 'a', text: 'x'.repeat(length) }]),
    send: `POST ${send}`
  })
  const base64 = '\r\nContent-Transfer-Encoding: Base64'

  return [
    taken({ name: 'photo', type: 'image/png' }),
    taken({ name: 'photo', type: 'Image/WebP; q=1' }),
    taken({ name: 'photo', type: 'audio/ogg' }),
    taken({ name: 'photo' }),
    refused(
      { name: 'photo', type: 'text/plain' },
      'body/photo must be of media type image/png or image/webp or audio/*'
    ),
    refused({ name: 'photo', type: 'text/html', text: '<html>' }, 'body/photo must be'),
    refused({ name: 'photo', type: 'image' }, 'body/photo must be'),
    taken({ name: 'scan', type: 'image/png' }),
    refused({ name: 'scan', type: 'text/plain' }, 'body/scan must be of media type image/png'),
    taken({ name: 'scans', type: 'image/png' }, [Buffer.from('bytes')]),
    upload(
      415,
      [
        { name: 'scans', type: 'image/png' },
        { name: 'scans', type: 'image/gif' }
      ],
      { message: 'body/scans must be of media type image/png' }
    ),
    taken({ name: 'either', type: 'image/gif' }),
    refused(
      { name: 'either', type: 'image/webp' },
      'body/either must be of media type image/png or image/gif'
    ),
    taken({ name: 'open', type: 'image/webp' }),
    taken({ name: 'note', type: 'text/markdown', text: '# a' }, '# a'),
    refused({ name: 'note', type: 'text/plain', text: 'a' }, 'body/note must be of media type text/markdown'),
    taken({ name: 'meta', type: 'application/json', text: '{"a":1}' }, { a: 1 }),
    taken({ name: 'meta', text: '{"a":1}' }, { a: 1 }),
    refused(
      { name: 'meta', type: 'text/plain', text: '{"a":1}' },
      'body/meta must be of media type application/json'
    ),
    refused(
      { name: 'rows', type: 'text/plain', text: '{"a":1}' },
      'body/rows must be of media type application/json'
    ),
    taken({ name: 'title', type: 'text/plain', text: 'a' }, 'a'),
    refused({ name: 'title', type: 'text/html', text: 'a' }, 'body/title must be of media type text/plain'),
    taken({ name: 'encoded', text: 'Ynl0ZXM=', more: base64 }, 'Ynl0ZXM='),
    refused({ name: 'photo', type: 'image/png', more: base64 }, 'body/photo must be sent as it is'),
    taken({ name: 'photo', type: 'image/png', more: '\r\nContent-Transfer-Encoding: binary' }),
    refused({ name: 'a\u202eb', more: base64 }, 'u202eb must be sent as it is'),
    text('/small', 10, 204),
    { ...text('/small', 11, 413), message: 'the body is larger than 10 bytes' },
    text('/small', 20, 204, 'application/json'),
    { ...text('/small', 21, 413, 'application/json'), message: 'the body is larger than 20 bytes' },
    text('/small', 20, 204, 'application/octet-stream'),
    text('/small', 21, 413, 'application/octet-stream'),
    parted('/small', 20, 204),
    parted('/small', 200, 413),
    text('/large', 2_000_000, 204),
    text('/large', 2_000_001, 413),
    parted('/large', 1_500_000, 204),
    parted('/large', 2_000_000, 413),
    text('/plain', 1_048_576, 204),
    text('/plain', 1_048_577, 413)
  ]
}

export const bodies = { forms, 'media-types': mediaTypes, uploads }
