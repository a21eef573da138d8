/** Media types, content codings, and bodies that are missing, empty, in chunks, or too large (RFC 9110, sections 8 and 15). */
import { chunked, fresh, head, post, type Row } from './row.ts'

const limit = 1_048_576

function accepted(contentType: string | readonly string[], why: string, name = String(contentType)): Row {
  const { id, body, plant } = fresh()
  return { name, request: post(body, { 'Content-Type': contentType }), status: 200, plant, id, why }
}

function refused(
  contentType: string | readonly string[] | undefined,
  why: string,
  name = String(contentType)
): Row {
  const request = post(fresh().body, { 'Content-Type': contentType })
  return {
    name: `415: ${name}`,
    request,
    status: 415,
    error: 4150,
    headers: { accept: /^application\/json$/ },
    why
  }
}

function coding(value: string): Row {
  return {
    name: `Content-Encoding: ${value}`,
    request: post(fresh().body, { 'Content-Encoding': value }),
    status: 415,
    error: 4150,
    headers: { accept: /^application\/json$/, 'accept-encoding': /^identity$/ },
    why: 'RFC 9110, 8.4 and 12.5.3'
  }
}

const ignored = 'RFC 9110, 8.3.1: parameters and letter case'
const other = 'contract: only application/json'
const missing = 'contract: requestBody.required'
const whole = fresh()
const split = fresh()
const filled = fresh()
const identity = fresh()

export const bodies: readonly Row[] = [
  accepted('application/json', other),
  accepted('APPLICATION/Json', ignored),
  accepted('application/json; charset=utf-8', ignored),
  accepted('application/json;charset="UTF-8"', ignored),
  accepted('application/json;charset=utf8', ignored),
  accepted('application/json; charset=us-ascii', 'ASCII is a part of UTF-8'),
  accepted('application/json ; a=b ; c="d;e"', ignored),
  accepted('application/json;', ignored),
  refused('application/json; charset=latin1', 'RFC 8259, 8.1: only UTF-8'),
  refused('application/json; charset=utf-16', 'RFC 8259, 8.1: only UTF-8'),
  refused('application/json; charset=utf-8; charset=latin1', 'RFC 9110, 5.6.6'),
  refused('text/plain', other),
  refused('text/json', other),
  refused('application/jsonx', other),
  refused('application/problem+json', other),
  refused('application/x-www-form-urlencoded', other),
  refused('multipart/form-data; boundary=x', other),
  refused('application/octet-stream', other),
  refused('application/*', 'a range is not a media type'),
  refused('json', 'RFC 9110, 8.3.1: not a media type'),
  refused('application/json, text/plain', 'RFC 9110, 8.3: one media type'),
  refused('', 'a body without a media type', 'empty'),
  refused(undefined, 'a body without a media type', 'missing'),
  refused(['application/json', 'text/plain'], 'RFC 9110, 8.3: one media type', 'two lines'),
  refused(['application/json', 'application/json'], 'RFC 9110, 5.3: one line', 'the same line twice'),
  coding('gzip'),
  coding('br'),
  coding('gzip, identity'),
  coding('nonsense'),
  {
    name: 'Content-Encoding: identity',
    request: post(identity.body, { 'Content-Encoding': 'Identity' }),
    status: 200,
    plant: identity.plant,
    id: identity.id,
    why: 'RFC 9110, 8.4.1'
  },
  { name: 'no length', request: head('POST /plants'), status: 400, error: 4000, why: missing },
  { name: 'length 0', request: post(''), status: 400, error: 4000, why: missing },
  {
    name: 'length 000',
    request: post('', { 'Content-Length': '000' }),
    status: 400,
    error: 4000,
    why: missing
  },
  { name: 'no chunks', request: chunked([]), status: 400, error: 4000, why: missing },
  {
    name: 'no body and no media type',
    request: head('POST /plants', { 'Content-Type': undefined }),
    status: 400,
    error: 4000,
    why: missing
  },
  {
    name: 'one chunk',
    request: chunked([whole.body]),
    status: 200,
    plant: whole.plant,
    id: whole.id,
    why: 'RFC 9112, 7.1'
  },
  {
    name: 'a chunk for each byte',
    request: chunked([...split.body]),
    status: 200,
    plant: split.plant,
    id: split.id,
    why: 'RFC 9112, 7.1'
  },
  {
    name: 'exactly the limit',
    request: post(filled.body.padEnd(limit)),
    status: 200,
    plant: filled.plant,
    id: filled.id,
    why: 'BODY_LIMIT'
  },
  {
    name: 'one byte more than the limit',
    request: post(fresh().body.padEnd(limit + 1)),
    status: 413,
    error: 4130,
    why: 'RFC 9110, 15.5.14'
  },
  {
    name: 'more than the limit in chunks',
    request: chunked([' '.repeat(700_000), ' '.repeat(700_000)]),
    status: 413,
    error: 4130,
    why: 'RFC 9110, 15.5.14'
  },
  {
    name: 'a declared length beyond the limit, without a body',
    request: head('POST /plants', { 'Content-Length': '99999999999' }),
    status: 413,
    error: 4130,
    why: 'refused before it is read'
  },
  {
    name: 'too large and of another media type',
    request: head('POST /plants', { 'Content-Length': '99999999', 'Content-Type': 'text/plain' }),
    status: 415,
    error: 4150,
    why: 'media type before size'
  },
  {
    name: '8 MB that are sent to the end',
    request: post(Buffer.alloc(8_000_000, ' ')),
    status: 413,
    error: 4130,
    why: 'a client that is still sending can read the response'
  },
  {
    name: 'Accept of something else',
    ...(({ id, body, plant }) => ({ request: post(body, { Accept: 'text/html' }), plant, id }))(fresh()),
    status: 200,
    why: 'RFC 9110, 12.5.1: there is no choice'
  }
]
