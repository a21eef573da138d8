import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import t from 'tap'
import { IgnoredUpgrades } from '../../../../src/engine/server/transport/ignored-upgrades.ts'
import { guardServer } from '../../../../src/engine/server/transport/listeners.ts'
import { sleep } from '../../../time.ts'
import { type Json, serve, taking } from '../../serve.ts'
import { type Exchange, exchange } from './raw-client.ts'
import { render } from './transport-server.ts'

const document: Json = {
  paths: {
    '/list': {
      get: { operationId: 'list', responses: { 200: { description: '', content: { 'text/plain': {} } } } }
    },
    '/make': taking('make', { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } })
  }
}
const { port, app } = await serve(t, document, {
  handlers: {
    list: async () => ({ status: 200, body: 'listed' }),
    make: async ({ body }: { body: unknown }) => ({ status: 200, body })
  },
  fastify: { requestTimeout: 1000 }
})

const upgrades = ['', 'Upgrade: h2c', 'Upgrade: websocket', 'Upgrade:', 'Upgrade: a, b'].map((line) =>
  line === '' ? '' : `Connection: Upgrade\r\n${line}\r\n`
)
const body = '{"id":1}'
const first: Readonly<Record<string, (upgrade: string) => string>> = {
  GET: (upgrade) => `GET /list HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`,
  'POST with a length': (upgrade) =>
    `POST /make HTTP/1.1\r\nHost: a\r\n${upgrade}Content-Type: application/json\r\nContent-Length: 8\r\n\r\n${body}`,
  'POST in chunks': (upgrade) =>
    `POST /make HTTP/1.1\r\nHost: a\r\n${upgrade}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"id\r\n4\r\n":1}\r\n0\r\n\r\n`,
  'POST without its body': (upgrade) => `POST /make HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`,
  'an undeclared body': (upgrade) =>
    `GET /list HTTP/1.1\r\nHost: a\r\n${upgrade}Content-Length: 8\r\n\r\n${body}`,
  'an undeclared path': (upgrade) => `GET /other HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`,
  'an undeclared method with a body': (upgrade) =>
    `PUT /list HTTP/1.1\r\nHost: a\r\n${upgrade}Content-Length: 8\r\n\r\n${body}`
}
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
const last = 'GET /list HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
const behind: Readonly<Record<string, string>> = {
  'a request': last,
  'two with Upgrade': `${'GET /list HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'.repeat(2)}${last}`,
  'a body that looks like a request': `POST /make HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}${last}`,
  'a malformed byte': '\u0001',
  'a malformed request': 'GET /list HTTP/1.1\r\nbroken\r\n\r\n',
  'large headers': `GET /list HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  'a part of a request': 'GET /list HTTP/1.1\r\n'
}

const outline = ({ responses, ending }: Exchange) => [
  ...responses.map(({ status, body: sent }) => `${status} ${sent}`),
  ending
]

/** Sends the text in two writes. */
const inPieces = (text: string, at: number) =>
  exchange(port, '', {
    wait: 6000,
    talk: async (socket) => {
      socket.setNoDelay().write(text.slice(0, at), 'latin1')
      await sleep(15)
      if (socket.writable) socket.write(text.slice(at), 'latin1')
    }
  })

t.test('a request with Upgrade, and the bytes behind it, are answered as without Upgrade', async (t) => {
  const run = async (what: string, request: (upgrade: string) => string, rest: string) => {
    const places = [0, 0.5, 1].map(
      (share) => (length: number, whole: number) => Math.round(length + share * (whole - length))
    )
    const exchanges = upgrades.flatMap((upgrade) => {
      const head = request(upgrade)
      const whole = head + rest
      return [...places.map((place) => place(head.length, whole.length)), head.length - 3].map((at) =>
        inPieces(whole, at).then(outline)
      )
    })
    const [plain, ...others] = await Promise.all(exchanges)
    for (const other of others) t.strictSame(other, plain, what)
    t.notMatch(JSON.stringify(plain), 'smuggled')
  }
  for (const [name, rest] of Object.entries(behind)) {
    const cases = Object.entries(first).map(([what, request]) => run(`${name} behind ${what}`, request, rest))
    await Promise.all(cases)
  }
})

t.test('a broken body of a request with Upgrade is a 400', async (t) => {
  const chunked = `POST /make HTTP/1.1\r\nHost: a\r\n${upgrades[1]}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  for (const text of [`${chunked}zz\r\n`, `${chunked}1\r\n{\r\nzz\r\n`]) {
    const { responses, ending } = await exchange(port, text, { wait: 3000 })
    t.strictSame([responses.map(({ status }) => status), ending], [[400], 'closed'])
  }
})

t.test(
  'a client that stops sending within a request with Upgrade is answered as without Upgrade',
  async (t) => {
    for (const [what, request] of Object.entries(first)) {
      const exchanges = upgrades.map((upgrade) => {
        const text = request(upgrade)
        const ends = [3, 1, 0].map((missing) => text.slice(0, text.length - missing))
        return Promise.all(ends.map((sent) => outlineOfEnd(sent)))
      })
      const [plain, ...others] = await Promise.all(exchanges)
      for (const other of others) t.strictSame(other, plain, what)
      t.notMatch(JSON.stringify(plain), '408')
    }
  }
)

/** Sends the text and the end of the client's half. */
const outlineOfEnd = async (text: string) =>
  outline(
    await exchange(port, '', {
      wait: 6000,
      talk: async (socket) => {
        socket.end(text, 'latin1')
      }
    })
  )

t.test('bytes behind requests with Upgrade wait while the connection is paused', async (t) => {
  const upgrade = `GET /list HTTP/1.1\r\nHost: a\r\n${upgrades[1]}\r\n`
  const { responses } = await exchange(port, upgrade.repeat(40), { wait: 5000, enough: 40 })
  t.strictSame(new Set(responses.map(({ status }) => status)), new Set([200]))
  t.equal(responses.length, 40)
})

t.test('a client that leaves within such requests leaves nothing behind', async (t) => {
  const upgrade = `GET /list HTTP/1.1\r\nHost: a\r\n${upgrades[1]}\r\n`
  for (let count = 0; count < 20; count++)
    await exchange(port, '', {
      wait: 0,
      talk: async (socket) => void socket.write(upgrade.repeat(50), () => socket.resetAndDestroy())
    })
  const connections = () =>
    new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  for (let turn = 0; turn < 200 && (await connections()) !== 0; turn++) await sleep(5)
  t.equal(await connections(), 0)
})

t.test(
  'a connection whose bytes Node does not parse itself ends with a request that has Upgrade',
  async (t) => {
    const targets: unknown[] = []
    const server = createServer(
      { shouldUpgradeCallback: () => false },
      ({ url }: IncomingMessage, response) => {
        targets.push(url)
        response.end('ok')
      }
    )
    guardServer(server, render)
    // A listener for the bytes makes Node read them from the stream.
    server.on('connection', (socket: Socket) => socket.on('data', () => undefined))
    t.teardown(() => server.close().closeAllConnections())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const text = `GET /first HTTP/1.1\r\nHost: a\r\n${upgrades[1]}\r\n${smuggled}`
    const found = await exchange((server.address() as AddressInfo).port, '', {
      wait: 3000,
      talk: async (socket) => {
        socket.setNoDelay().write(text)
        await sleep(15)
        socket.write(smuggled)
      }
    })
    t.strictSame(
      [found.responses.length, found.responses[0]?.headers.get('connection'), targets],
      [1, 'close', ['/first']]
    )
  }
)

t.test('a socket without a parser, or whose parser does not read from it, is left as it is', async (t) => {
  for (const parser of [undefined, null, { constructor: { kOnExecute: 3 }, _consumed: false }])
    t.equal(IgnoredUpgrades.on(Object.assign(new Socket(), { parser })), undefined)
})
