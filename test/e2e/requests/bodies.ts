/** Media types, content codings, and bodies that are missing, empty, in chunks, or too large (RFC 9110, sections 8 and 15). */
import { accepted, chunked, fresh, head, post, type Row, refused } from './row.ts'

const limit = 1_048_576
const ignored = 'RFC 9110, 8.3.1: parameters and letter case'
const other = 'contract: only application/json'
const missing = 'contract: requestBody.required'

const ofType = (contentType: string, why: string): Row =>
  accepted(contentType, why, (body) => post(body, { 'Content-Type': contentType }))

const notOfType = (type: string | readonly string[] | undefined, why: string, name = String(type)): Row =>
  refused(4150, `415: ${name}`, post(fresh().body, { 'Content-Type': type }), why)

const coding = (value: string): Row =>
  refused(
    4150,
    `Content-Encoding: ${value}`,
    post(fresh().body, { 'Content-Encoding': value }),
    'RFC 9110, 8.4 and 12.5.3',
    { headers: { 'accept-encoding': /^identity$/ } }
  )

const tooLarge = (name: string, request: string | Buffer, why = 'RFC 9110, 15.5.14'): Row =>
  refused(4130, name, request, why)

export const bodies: readonly Row[] = [
  ofType('application/json', other),
  ofType('APPLICATION/Json', ignored),
  ofType('application/json; charset=utf-8', ignored),
  ofType('application/json;charset="UTF-8"', ignored),
  ofType('application/json;charset=utf8', ignored),
  ofType('application/json; charset=us-ascii', 'ASCII is a part of UTF-8'),
  ofType('application/json ; a=b ; c="d;e"', ignored),
  ofType('application/json;', ignored),
  notOfType('application/json; charset=latin1', 'RFC 8259, 8.1: only UTF-8'),
  notOfType('application/json; charset=utf-16', 'RFC 8259, 8.1: only UTF-8'),
  notOfType('application/json; charset=utf-8; charset=latin1', 'RFC 9110, 5.6.6'),
  notOfType('text/plain', other),
  notOfType('application/jsonx', other),
  notOfType('application/problem+json', other),
  notOfType('application/x-www-form-urlencoded', other),
  notOfType('multipart/form-data; boundary=x', other),
  notOfType('application/*', 'a range is not a media type'),
  notOfType('json', 'RFC 9110, 8.3.1: not a media type'),
  notOfType('application/json, text/plain', 'RFC 9110, 8.3: one media type'),
  notOfType('', 'a body without a media type', 'empty'),
  notOfType(undefined, 'a body without a media type', 'missing'),
  notOfType(['application/json', 'text/plain'], 'RFC 9110, 8.3: one media type', 'two lines'),
  notOfType(['application/json', 'application/json'], 'RFC 9110, 5.3: one line', 'the same line twice'),
  coding('gzip'),
  coding('gzip, identity'),
  coding('nonsense'),
  accepted('Content-Encoding: identity', 'RFC 9110, 8.4.1', (body) =>
    post(body, { 'Content-Encoding': 'Identity' })
  ),
  refused(4000, 'no length', head('POST /plants'), missing),
  refused(4000, 'length 0', post(''), missing),
  refused(4000, 'length 000', post('', { 'Content-Length': '000' }), missing),
  refused(4000, 'no chunks', chunked([]), missing),
  refused(4000, 'no body, no media type', head('POST /plants', { 'Content-Type': undefined }), missing),
  accepted('one chunk', 'RFC 9112, 7.1', (body) => chunked([body])),
  accepted('a chunk for each byte', 'RFC 9112, 7.1', (body) => chunked([...body])),
  accepted('exactly the limit', 'BODY_LIMIT', (body) => post(body.padEnd(limit))),
  tooLarge('one byte more than the limit', post(fresh().body.padEnd(limit + 1))),
  tooLarge('more than the limit in chunks', chunked([' '.repeat(700_000), ' '.repeat(700_000)])),
  tooLarge(
    'a declared length beyond the limit, without a body',
    head('POST /plants', { 'Content-Length': '99999999999' }),
    'refused before it is read'
  ),
  tooLarge(
    '8 MB that are sent to the end',
    post(Buffer.alloc(8_000_000, ' ')),
    'a client that is still sending can read the response'
  ),
  refused(
    4150,
    'too large and of another media type',
    head('POST /plants', { 'Content-Length': '99999999', 'Content-Type': 'text/plain' }),
    'media type before size'
  ),
  accepted('Accept of something else', 'RFC 9110, 12.5.1: there is no choice', (body) =>
    post(body, { Accept: 'text/html' })
  )
]
