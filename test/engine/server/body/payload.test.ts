import { EventEmitter } from 'node:events'
import { IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import t from 'tap'
import { budgetOf } from '../../../../src/engine/server/body/budget.ts'
import { readBytes } from '../../../../src/engine/server/body/payload.ts'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { sleep } from '../../../time.ts'

function incoming(headers: Record<string, string> = {}): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers })
}

async function failureCode(reading: Promise<unknown>): Promise<string> {
  try {
    await reading
    return 'none'
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : 'unknown'
  }
}

t.test('readBytes', async (t) => {
  const rows: [string[], number, string][] = [
    [[], 0, ''],
    [['hello'], 5, 'hello'],
    [['he', 'l', 'lo'], 5, 'hello'],
    [['he', 'l', 'lo'], 100, 'hello'],
    [['he', 'llo!'], 5, 'body-too-large'],
    [['hello!'], 5, 'body-too-large']
  ]
  for (const [chunks, limit, want] of rows) {
    const request = incoming()
    const reading = readBytes(request, limit).then(String, (error: FailureError) => error.failure.code)
    for (const chunk of chunks) request.push(Buffer.from(chunk))
    request.push(null)
    t.equal(await reading, want, chunks.join('|'))
  }
  const short = incoming({ 'content-length': '6' })
  short.push(null)
  t.equal(await failureCode(readBytes(short, 10)), 'malformed-http', 'other than declared')
  const lost = incoming()
  const reading = failureCode(readBytes(lost, 10))
  lost.destroy(new Error('lost'))
  t.equal(await reading, 'malformed-http', 'lost while reading')
  t.equal(await failureCode(readBytes(lost, 10)), 'malformed-http', 'lost before')
  const read = incoming()
  read.push(null)
  await readBytes(read, 10)
  t.equal(String(await readBytes(read, 10)), '', 'read before')
})

t.test('readBytes keeps no more than the body, however small its chunks', async (t) => {
  const request = incoming()
  const reading = readBytes(request, 200_000)
  for (let i = 0; i < 200_000; i++) request.push(Buffer.of(i % 256))
  request.push(null)
  const body = await reading
  t.equal(body.length, 200_000)
  t.ok(body.every((byte, index) => byte === index % 256))
  t.ok(body.buffer.byteLength <= 400_000)
  const endless = incoming()
  const refused = failureCode(readBytes(endless, 10))
  for (let i = 0; i < 100; i++) endless.push(Buffer.alloc(10_000))
  t.equal(await refused, 'body-too-large')
  await sleep(10)
  t.equal(endless.readableLength, 0, 'the rest is discarded')
  endless.destroy(new Error('lost'))
  await sleep(10)
  t.ok(endless.destroyed, 'and its loss is nothing to anyone')
})

t.test('a budget counts nothing after the response, and gets back what was reserved', (t) => {
  const response = (closed?: boolean) =>
    Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse
  const budget = budgetOf(50_000)
  const first = response()
  const reserve = budget(undefined, first)
  reserve(60_000)
  t.throws(() => budget(undefined, response())(30_000), { message: 'the service is overloaded' })
  reserve(-30_000)
  first.emit('close')
  for (const bytes of [50_000, -50_000, -60_000]) reserve(bytes)
  budget(undefined, response(true))(60_000)
  t.throws(() => budget(undefined, response())(66_385), { message: 'the service is overloaded' })
  budget(undefined, response())(66_384)
  t.end()
})
