import { test } from 'tap'
import * as parse from '../../../src/service/config/parse.ts'

interface Case {
  readonly parser: keyof typeof parsers
  readonly given: string
  readonly want: unknown
}

const parsers = {
  host: parse.host,
  port: parse.port,
  baseUrl: (text: string) => parse.baseUrl(text).href,
  databaseUrl: parse.databaseUrl,
  jwksUrl: (text: string) => parse.jwksUrl(text).href,
  tokens: parse.tokens,
  rateLimit: parse.rateLimit,
  origins: parse.origins,
  trustProxy: parse.trustProxy,
  milliseconds: parse.milliseconds
}

const refused = Symbol('refused')

const cases: readonly Case[] = [
  { parser: 'host', given: '0.0.0.0', want: '0.0.0.0' },
  { parser: 'host', given: '::', want: '::' },
  { parser: 'host', given: 'plants.internal', want: 'plants.internal' },
  { parser: 'host', given: 'h', want: 'h' },
  { parser: 'host', given: 'http://h', want: refused },
  { parser: 'host', given: 'a..b', want: refused },
  { parser: 'host', given: 'two words', want: refused },
  { parser: 'port', given: '0', want: 0 },
  { parser: 'port', given: '65535', want: 65_535 },
  { parser: 'port', given: '65536', want: refused },
  { parser: 'port', given: '-1', want: refused },
  { parser: 'port', given: '3e3', want: refused },
  { parser: 'port', given: '0x10', want: refused },
  { parser: 'milliseconds', given: '1', want: 1 },
  { parser: 'milliseconds', given: '0', want: refused },
  { parser: 'milliseconds', given: '2147483648', want: refused },
  { parser: 'milliseconds', given: '1.5', want: refused },
  { parser: 'baseUrl', given: 'https://x.example', want: 'https://x.example/' },
  { parser: 'baseUrl', given: 'http://x.example:81/a/b-1.2_~/', want: 'http://x.example:81/a/b-1.2_~/' },
  { parser: 'baseUrl', given: 'x.example/api', want: refused },
  { parser: 'baseUrl', given: 'ftp://x.example/', want: refused },
  { parser: 'baseUrl', given: 'https://x.example/:id', want: refused },
  { parser: 'baseUrl', given: 'https://x.example/*', want: refused },
  { parser: 'baseUrl', given: 'https://x.example//', want: refused },
  { parser: 'baseUrl', given: 'https://x.example/?a', want: refused },
  { parser: 'baseUrl', given: 'https://x.example/#', want: refused },
  { parser: 'baseUrl', given: 'https://user@x.example/', want: refused },
  { parser: 'databaseUrl', given: 'sqlite:/var/plants.db', want: 'sqlite:/var/plants.db' },
  { parser: 'databaseUrl', given: 'sqlite::memory:', want: 'sqlite::memory:' },
  { parser: 'databaseUrl', given: 'sqlite:', want: refused },
  { parser: 'databaseUrl', given: 'postgres://h', want: 'postgres://h' },
  { parser: 'databaseUrl', given: 'postgresql://u@h:5/d', want: 'postgresql://u@h:5/d' },
  { parser: 'databaseUrl', given: 'postgres://u:p@a:1,b:2/d?x=y', want: 'postgres://u:p@a:1,b:2/d?x=y' },
  { parser: 'databaseUrl', given: 'postgres:///d?host=/run/p', want: 'postgres:///d?host=/run/p' },
  { parser: 'databaseUrl', given: 'postgres://', want: refused },
  { parser: 'databaseUrl', given: 'postgres://h /d', want: refused },
  { parser: 'databaseUrl', given: 'mysql://h/d', want: refused },
  { parser: 'jwksUrl', given: 'https://id.example/jwks', want: 'https://id.example/jwks' },
  { parser: 'jwksUrl', given: 'http://127.0.0.1:8/jwks', want: 'http://127.0.0.1:8/jwks' },
  { parser: 'jwksUrl', given: 'http://localhost/jwks', want: 'http://localhost/jwks' },
  { parser: 'jwksUrl', given: 'http://[::1]/jwks', want: 'http://[::1]/jwks' },
  { parser: 'jwksUrl', given: 'http://id.example/jwks', want: refused },
  { parser: 'jwksUrl', given: 'http://127.0.0.1.example/jwks', want: refused },
  { parser: 'jwksUrl', given: 'id.example', want: refused },
  { parser: 'tokens', given: '', want: [] },
  { parser: 'tokens', given: 'a-._~+/9==, b', want: ['a-._~+/9==', 'b'] },
  { parser: 'tokens', given: 'a,b c', want: refused },
  { parser: 'tokens', given: 'é', want: refused },
  { parser: 'rateLimit', given: '1/1s', want: { max: 1, windowMs: 1000 } },
  { parser: 'rateLimit', given: '5/2h', want: { max: 5, windowMs: 7_200_000 } },
  { parser: 'rateLimit', given: '5/24d', want: { max: 5, windowMs: 2_073_600_000 } },
  { parser: 'rateLimit', given: '5/25d', want: refused },
  { parser: 'rateLimit', given: '0/1s', want: refused },
  { parser: 'rateLimit', given: '1/0s', want: refused },
  { parser: 'rateLimit', given: '1/1w', want: refused },
  {
    parser: 'origins',
    given: 'https://a.example,http://b.example:81',
    want: ['https://a.example', 'http://b.example:81']
  },
  { parser: 'origins', given: '*', want: refused },
  { parser: 'origins', given: 'null', want: refused },
  { parser: 'origins', given: 'https://a.example/', want: refused },
  { parser: 'origins', given: 'https://A.example', want: refused },
  { parser: 'trustProxy', given: 'true', want: true },
  { parser: 'trustProxy', given: 'false', want: false },
  { parser: 'trustProxy', given: '2', want: refused },
  {
    parser: 'trustProxy',
    given: '10.0.0.1, ::1/128, uniquelocal',
    want: ['10.0.0.1', '::1/128', 'uniquelocal']
  },
  { parser: 'trustProxy', given: '10.0.0.0/33', want: refused },
  { parser: 'trustProxy', given: '::/129', want: refused },
  { parser: 'trustProxy', given: '10.0.0.0/8/8', want: refused },
  { parser: 'trustProxy', given: '10.0.0.0/x', want: refused },
  { parser: 'trustProxy', given: 'proxy.example', want: refused },
  { parser: 'trustProxy', given: ',', want: refused }
]

function outcome({ parser, given }: Case): unknown {
  try {
    return parsers[parser](given)
  } catch (error) {
    return error instanceof parse.Unexpected ? refused : error
  }
}

test('each parser takes its own form and no other', async (t) => {
  for (const each of cases) t.strictSame(outcome(each), each.want, `${each.parser}: ${each.given}`)
})
