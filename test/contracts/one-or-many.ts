import type { Exchange } from './exchange.ts'

const got = (send: string, seen: object): Exchange => ({ send: `GET ${send}`, want: 204, seen: { ...seen } })
const query = (text: string, values: object): Exchange => got(`/query?${text}`, { query: values })
const refused = (send: string, message: string): Exchange => ({ send: `GET ${send}`, want: 400, message })
const header = (headers: Record<string, string>, values: object): Exchange => ({
  ...got('/header', { headers: values }),
  headers
})
const cookie = (text: string, values: object): Exchange => ({
  ...got('/cookie', { cookies: values }),
  headers: { cookie: text }
})
const form = (body: string, values: object): Exchange => ({
  send: 'POST /form',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
  want: 204,
  seen: { body: values }
})
const sent = (parts: readonly string[]): Exchange => ({
  send: 'POST /form',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: `${parts.map((part) => `--x\r\nContent-Disposition: form-data; name=${part}\r\n`).join('')}--x--\r\n`,
  want: 204
})
const upload = (parts: readonly string[], values: object): Exchange => ({
  ...sent(parts),
  seen: { body: values }
})
const as = (type: string) => `\r\nContent-Type: ${type}`

export default [
  query('tags=x', { tags: ['x'] }),
  query('tags=x&tags=y', { tags: ['x', 'y'] }),
  query('tags=null', { tags: null }),
  query('ids=5', { ids: 5n }),
  query('ids=9007199254740993', { ids: 9007199254740993n }),
  query('ids=ab', { ids: ['ab'] }),
  query('ids=5a&ids=6a', { ids: ['5a', '6a'] }),
  refused('/query?ids=a', 'query/ids'),
  query('joined=x', { joined: ['x'] }),
  query('joined=x,y', { joined: ['x', 'y'] }),
  query('piped=ab%7Ccd', { piped: ['ab', 'cd'] }),
  query('piped=ab', { piped: ['ab'] }),
  query('piped=7', { piped: 7n }),
  query('scope=all', { scope: 'all' }),
  query('scope=mine', { scope: ['mine'] }),
  query('scope=mine&scope=all', { scope: ['mine', 'all'] }),
  query('least=10', { least: 10 }),
  query('least=9', { least: [9] }),
  query('scope=mine&least=9&ids=5', { scope: ['mine'], least: [9], ids: 5n }),
  refused('/query?least=x&scope=mine', 'query/least'),
  query('mode=auto', { mode: 'auto' }),
  query('size=5', { mode: { size: 5 } }),
  refused('/query?mode=other', 'query/mode'),
  query('open=word', { open: 'word' }),
  query('deep%5Btags%5D=x', { deep: { tags: ['x'] } }),
  query('deep%5Btags%5D=x&deep%5Btags%5D=y&deep%5Bids%5D=5', { deep: { tags: ['x', 'y'], ids: 5n } }),
  query('deep%5Bids%5D=ab', { deep: { ids: ['ab'] } }),
  header({ 'x-tags': 'x' }, { 'x-tags': ['x'] }),
  header({ 'x-tags': 'x, y' }, { 'x-tags': ['x', 'y'] }),
  header({ 'x-tags': 'null', 'x-ids': '5' }, { 'x-tags': null, 'x-ids': 5n }),
  header({ 'x-ids': 'ab', 'x-mode': 'auto' }, { 'x-ids': ['ab'], 'x-mode': 'auto' }),
  header({ 'x-mode': 'size,5', 'x-scope': 'mine' }, { 'x-mode': { size: 5 }, 'x-scope': ['mine'] }),
  cookie('tags=x', { tags: ['x'] }),
  cookie('tags=x; tags=y', { tags: ['x', 'y'] }),
  cookie('ids=ab&ids=cd', { ids: ['ab', 'cd'] }),
  cookie('ids=5; scope=mine', { ids: 5n, scope: ['mine'] }),
  got('/path/5', { params: { ids: 5n } }),
  got('/path/ab', { params: { ids: ['ab'] } }),
  got('/path/ab,cd', { params: { ids: ['ab', 'cd'] } }),
  form('tags=x&ids=5&scope=mine&least=9', { tags: ['x'], ids: 5n, scope: ['mine'], least: [9] }),
  form('tags=x&tags=y&ids=ab&scope=all&least=11', { tags: ['x', 'y'], ids: ['ab'], scope: 'all', least: 11 }),
  form('strategy=auto', { strategy: 'auto' }),
  form('strategy=%7B%22type%22%3A%22a%22%7D', { strategy: { type: 'a' } }),
  upload(['tags\r\n\r\nx', 'ids\r\n\r\n5', 'scope\r\n\r\nmine', 'least\r\n\r\n9'], {
    tags: ['x'],
    ids: 5n,
    scope: ['mine'],
    least: [9]
  }),
  upload(['tags\r\n\r\nx', 'tags\r\n\r\ny', 'ids\r\n\r\nab'], { tags: ['x', 'y'], ids: ['ab'] }),
  upload(['strategy\r\n\r\nauto'], { strategy: 'auto' }),
  upload([`strategy${as('text/plain')}\r\n\r\nauto`], { strategy: 'auto' }),
  upload(['strategy\r\n\r\n"auto"'], { strategy: 'auto' }),
  upload(['strategy\r\n\r\n5'], { strategy: '5' }),
  upload(['strategy\r\n\r\nnull'], { strategy: 'null' }),
  upload(['strategy\r\n\r\n{"type":"a","id":9007199254740993}'], {
    strategy: { type: 'a', id: 9007199254740993n }
  }),
  upload([`strategy${as('text/plain; charset=utf-8')}\r\n\r\n{"type":"a"}`], { strategy: '{"type":"a"}' }),
  upload([`strategy${as('application/json')}\r\n\r\n{"type":"a"}`], { strategy: { type: 'a' } }),
  upload(['strategy\r\n\r\n{"kind":"a"}'], { strategy: '{"kind":"a"}' }),
  {
    ...sent([`strategy${as('application/json')}\r\n\r\nauto`]),
    want: 400,
    message: 'body/strategy is not valid JSON'
  },
  { ...sent([`strategy${as('application/json')}\r\n\r\n5`]), want: 400, message: 'body/strategy must match' },
  {
    ...sent(['strategy\r\n\r\na', 'strategy\r\n\r\nb']),
    want: 400,
    message: 'body/strategy is given more than once'
  },
  upload(['count\r\n\r\n5', 'flags\r\n\r\nnull'], { count: 5, flags: null }),
  upload(['count\r\n\r\n{"a":1}', 'flags\r\n\r\ntrue'], { count: { a: 1 }, flags: true }),
  { ...sent(['count\r\n\r\nfive']), want: 400, message: 'body/count is not valid JSON' },
  upload(['choices\r\n\r\nauto'], { choices: 'auto' }),
  upload(['choices\r\n\r\n{"type":"a"}'], { choices: { type: 'a' } }),
  upload(['choices\r\n\r\nauto', 'choices\r\n\r\n{"type":"a"}'], { choices: ['auto', { type: 'a' }] }),
  upload(['choices\r\n\r\n["auto",{"type":"a"}]'], { choices: ['auto', { type: 'a' }] }),
  upload(['files\r\n\r\na'], { files: Buffer.from('a') }),
  upload(['files\r\n\r\na', 'files\r\n\r\nb'], { files: [Buffer.from('a'), Buffer.from('b')] }),
  upload(['fileList\r\n\r\na'], { fileList: [Buffer.from('a')] }),
  upload(['fileOrObject\r\n\r\n{"a":1}'], { fileOrObject: Buffer.from('{"a":1}') }),
  upload([`fileOrObject${as('application/json')}\r\n\r\n{"a":1}`], { fileOrObject: { a: 1 } }),
  upload([`fileOrObject; filename="a.json"${as('application/json')}\r\n\r\n{"a":1}`], {
    fileOrObject: Buffer.from('{"a":1}')
  }),
  refused('/required', 'query/q is required'),
  refused('/required', 'headers/x-q is required'),
  refused('/required', 'cookies/c is required'),
  {
    ...got('/required?q=1', { query: { q: 1, o: 6 } }),
    headers: { 'x-q': 'b', cookie: 'c=d' }
  }
] satisfies Exchange[]
