/** Multipart bodies whose fields the contract does not describe. */
import t from 'tap'
import { type Json, request, serve } from '../../serve.ts'

const free: Json = {
  paths: {
    '/free': {
      post: {
        operationId: 'free',
        requestBody: { required: true, content: { 'multipart/form-data': {} } },
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
      }
    }
  }
}
const handlers = {
  free: ({ body }: { body: Record<string, unknown> }) => ({ status: 200, body: Object.entries(body) })
}

function multipart(parts: readonly string[]): Buffer {
  const texts = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`)
  return Buffer.from(`${texts.join('')}--b--\r\n`)
}

const type = { 'Content-Type': 'multipart/form-data; boundary=b' }

t.test('without a schema, parts with a filename are bytes and the others are text', async (t) => {
  const { ask } = await serve(t, free, { handlers })
  const parts = ['name="a"\r\n\r\n1', 'name="b"; filename="b"\r\n\r\nxyz']
  const answer = await ask(request('POST /free', multipart(parts), type))
  t.strictSame(answer.value, [
    ['a', '1'],
    ['b', { type: 'Buffer', data: [120, 121, 122] }]
  ])
  const twice = await ask(request('POST /free', multipart([...parts, ...parts]), type))
  t.match(twice, { status: 400, value: { code: 'mismatch', message: 'body/a is given more than once' } })
})

t.test('a body of more than 1000 parts is refused', async (t) => {
  const { ask } = await serve(t, free, { handlers })
  const parts = (count: number) =>
    Array.from({ length: count }, (_, index) => `name="n${index}"\r\n\r\n${index}`)
  t.equal((await ask(request('POST /free', multipart(parts(1000)), type))).status, 200)
  const answer = await ask(request('POST /free', multipart(parts(1001)), type))
  t.match(answer, {
    status: 413,
    value: { code: 'body-too-large', message: 'the body has more than 1000 parts' }
  })
})

t.test('a boundary that the parser does not take is refused', async (t) => {
  const { ask } = await serve(t, free, { handlers })
  for (const [length, status] of [
    [252, 200],
    [253, 400],
    [5000, 400]
  ] as const) {
    const boundary = 'b'.repeat(length)
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    t.match(await ask(request('POST /free', body, headers)), { status }, String(length))
  }
})
