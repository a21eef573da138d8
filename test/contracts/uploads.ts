import type { Exchange } from './exchange.ts'

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

export default [
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
  refused({ name: 'either', type: 'image/webp' }, 'body/either must be of media type image/png or image/gif'),
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
] satisfies Exchange[]
