import type { Exchange } from './exchange.ts'

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

export default [
  form('name=a+b&age=9007199254740993&tags=x&tags=y&joined=1,2&meta=%7B%22a%22%3A1%7D', 204, {
    seen: { body: { name: 'a b', age: 9007199254740993n, tags: ['x', 'y'], joined: [1, 2], meta: { a: 1 } } }
  }),
  { ...form('code=5', 204), send: 'POST /composed', seen: { body: { code: 5 } } },
  { ...form('code=true', 400), send: 'POST /composed', told: 'body/code must be' },
  {
    ...upload(['name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes'], 204),
    send: 'POST /bytes',
    seen: { body: { image: Buffer.from('bytes') } }
  },
  {
    ...upload(['name="note"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes'], 400),
    send: 'POST /bytes',
    told: 'body/note must be string'
  },
  {
    ...upload(['name="maybe"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes'], 204),
    send: 'POST /bytes',
    seen: { body: { maybe: Buffer.from('bytes') } }
  },
  form('name=a&__proto__=x&toString=y', 204),
  form('age=1', 400, { told: 'body/name is required' }),
  form('name=a&age=x', 400, { told: 'body/age must be integer' }),
  form('name=a&name=b', 400, { told: 'body/name is given more than once' }),
  form('name=a&meta=%7B', 400, { told: 'body/meta is not valid JSON' }),
  upload([file, count], 204, { seen: { body: { file: Buffer.from('bytes'), count: 3 } } }),
  upload([file, count, 'name="meta"\r\n\r\n{"a":1}'], 204),
  upload([file, count, 'name="meta"\r\n\r\n{}'], 400, { told: 'body/meta/a is required' }),
  upload([file, count, several('a'), several('b')], 204, {
    seen: { body: { file: Buffer.from('bytes'), count: 3, files: [Buffer.from('a'), Buffer.from('b')] } }
  }),
  upload([file, count, 'name="sizes"\r\n\r\n[1,2]'], 204, {
    seen: { body: { file: Buffer.from('bytes'), count: 3, sizes: [1, 2] } }
  }),
  upload([file, count, 'name="sizes"; filename="a.json"\r\n\r\n[1,2]'], 400, {
    told: 'body/sizes must be array'
  }),
  upload([file], 400, { told: 'body/count is required' }),
  upload([file, 'name="count"\r\n\r\n0'], 400, { told: 'body/count must be >= 1' }),
  upload([count], 400, { told: 'body/file is required' }),
  { send: 'POST /upload', headers: { 'content-type': 'multipart/form-data' }, body: 'x', want: 400 }
] satisfies Exchange[]
