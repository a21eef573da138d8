/** `npm run bench:engine`: the cost of each guarantee of the engine on the hot path, in nanoseconds a request. */
import type { IncomingMessage } from 'node:http'
import { command } from '@contract-first/cli/command'
import { createTokenVerifier, digestOf } from '@contract-first/service/tokens'
import type { FastifyReply, FastifyRequest } from 'fastify'
import contract from '../generated/contract.ts'
import { parseExactJson } from '../src/engine/json/parse.ts'
import { restoreInt64 } from '../src/engine/json/restore-int64.ts'
import type { Contract, RequestContent } from '../src/engine/model/compiled-contract.ts'
import { bodyExpectation } from '../src/engine/server/body/expectation.ts'
import { jsonBody } from '../src/engine/server/body/parse.ts'
import { checks } from '../src/engine/server/responses/checks.ts'
import { responseSender } from '../src/engine/server/responses/send.ts'
import { authenticator } from '../src/engine/server/security/authenticate.ts'
import { refusal } from '../src/engine/server/transport/request-checks.ts'
import { UnreadBytes } from '../src/engine/server/transport/unread.ts'

const rounds = 60
const repetitions = 20_000

function nanoseconds(run: () => unknown): number {
  const started = process.hrtime.bigint()
  for (let repetition = 0; repetition < repetitions; repetition++) run()
  return Number(process.hrtime.bigint() - started) / repetitions
}

const { operations, load }: Contract = contract
const code = await load()
const [operation] = operations
const content = operation?.requestBody?.content[0] as RequestContent
const answered = operation?.responses['200']?.content[0]
const int64 = content.int64
if (operation === undefined || answered === undefined || int64 === undefined)
  throw new TypeError('an empty contract')

const text = '{"id":42,"name":"Monstera deliciosa","tag":"climber"}'
const exactText = text.replace('42', '9007199254740993')
const bytes = Buffer.from(text)
const plant = { name: 'Monstera deliciosa', tag: 'climber' }
const token = 'plant_0123456789012345678901234567890123456789012'
const headers = {
  host: 'localhost:3000',
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'content-length': String(bytes.length),
  accept: '*/*',
  'user-agent': 'bench'
}
const raw = { headers, rawHeaders: Object.entries(headers).flat(), httpVersion: '1.1', url: '/plants' }
const request = { raw, headers } as unknown as FastifyRequest
const incoming = raw as unknown as IncomingMessage
const connection = {}
const reply = {
  request: { headers, method: 'POST' },
  raw: { req: { socket: connection } },
  code: () => reply,
  header: () => reply,
  serializer: () => reply,
  send: () => reply
} as unknown as FastifyReply

const verify = createTokenVerifier([{ digest: digestOf(token), scopes: [] }])
const { check, serialize } = checks(code)
const unread = new UnreadBytes(() => ({ status: 500, headers: {}, body: '' }))
const send = responseSender(operation, code, { unread, onErrorResponse: undefined })
const expectBody = bodyExpectation(operation, 1_048_576)
const open = authenticator(operation, { contract, security: { bearerAuth: () => plant } })
const closed = authenticator(operation, {
  contract,
  security: { bearerAuth: (sent: string) => verify(sent) }
})
const proved = authenticator(operation, {
  contract,
  security: { bearerAuth: (sent: string) => verify(sent, connection) }
})

const rows: [string, () => unknown][] = [
  ['JSON.parse of the body', () => JSON.parse(text)],
  ['exact JSON, no number needs it', () => parseExactJson(text)],
  ['exact JSON, an id of 16 digits', () => parseExactJson(exactText)],
  ['body: UTF-8, exact JSON, validation, bigint', () => jsonBody(bytes, content, code)],
  ['int64 of the body', () => restoreInt64({ '': { id: 42 } }, int64, code, undefined)],
  ['response check', () => check(answered.validate, plant, 'body')],
  ['serialize', () => serialize(answered.serialize, plant)],
  ['response check, serialize, headers of the contract', () => send({ status: 200, body: plant }, reply)],
  ['JSON.stringify of the same', () => JSON.stringify(plant)],
  ['Host, version, framing', () => refusal(incoming)],
  ['media type, coding, length', () => expectBody(incoming)],
  ['auth: the engine, without the token', () => open?.(request)],
  ['auth: with SHA-256 and comparison of the token', () => closed?.(request)],
  ['auth: the token that the connection has proved', () => proved?.(request)]
]

const usage = `usage: npm run bench:engine

  Measures each guarantee of the engine on the hot path, alone: nanoseconds a request, the fastest of ${rounds} rounds.`

await command({ usage }, () => {
  for (const [name, time] of fastest()) console.log(`${name.padEnd(48)} ${time.toFixed(0).padStart(6)} ns`)
})

/** Interleaves the rows and takes the fastest round of each, because disturbances only make a round slower. */
function fastest(): Map<string, number> {
  const best = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of rows)
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, nanoseconds(run)))
  return best
}
