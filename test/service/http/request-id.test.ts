import { test } from 'tap'
import { createRequestIds } from '../../../src/service/http/headers.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const fresh = /^[\w-]{12}-[0-9a-z]+$/

const cases: readonly { headers: Record<string, string>; want: string | RegExp }[] = [
  { headers: {}, want: fresh },
  { headers: { 'x-request-id': 'abc-123' }, want: /^abc-123$/ },
  { headers: { 'x-request-id': 'Root=1-67891233-abcdef012345678912345678' }, want: /^Root=1-67891233-/ },
  { headers: { 'x-request-id': 'x'.repeat(128) }, want: /^x{128}$/ },
  { headers: { 'x-request-id': 'x'.repeat(129) }, want: fresh },
  { headers: { 'x-request-id': 'two words' }, want: fresh },
  { headers: { 'x-request-id': '"}{"level":60' }, want: fresh },
  { headers: { 'x-request-id': '' }, want: fresh },
  { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` }, want: new RegExp(`^${trace}$`) },
  { headers: { traceparent: `cc-${trace}-00f067aa0ba902b7-01-later` }, want: new RegExp(`^${trace}$`) },
  { headers: { 'x-request-id': 'mine', traceparent: `00-${trace}-00f067aa0ba902b7-01` }, want: /^mine$/ },
  {
    headers: { 'x-request-id': 'a b', traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    want: new RegExp(`^${trace}$`)
  },
  { headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, want: fresh },
  { headers: { traceparent: `00-${trace}-${'0'.repeat(16)}-01` }, want: fresh },
  { headers: { traceparent: `ff-${trace}-00f067aa0ba902b7-01` }, want: fresh },
  { headers: { traceparent: `00-${trace.toUpperCase()}-00f067aa0ba902b7-01` }, want: fresh }
]

test('a valid id of the client is kept, any other is replaced', async (t) => {
  for (const { headers, want } of cases) {
    t.match(createRequestIds()({ headers }), want, JSON.stringify(headers))
  }
})

test('two new ids differ', async (t) => {
  const requestId = createRequestIds()
  t.not(requestId({ headers: {} }), requestId({ headers: {} }))
})
