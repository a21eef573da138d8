/** Authentication, before a byte of the body is read (RFC 9110, section 11; RFC 6750; contract: bearerAuth). */
import { accepted, fresh, head, post, type Row, refused, token } from './row.ts'

const none = (name: string, request: string | Buffer, why: string): Row => refused(4010, name, request, why)

const wrong = (name: string, authorization: string | readonly string[], why: string): Row =>
  refused(4011, name, post(fresh().body, { Authorization: authorization }), why)

const right = (name: string, authorization: string, why: string): Row =>
  accepted(name, why, (body) => post(body, { Authorization: authorization }))

const without = { Authorization: undefined }

export const auth: readonly Row[] = [
  right('bearer in lower case', `bearer ${token}`, 'RFC 9110, 11.1: schemes are case-insensitive'),
  right('BEARER in upper case', `BEARER ${token}`, 'RFC 9110, 11.1: schemes are case-insensitive'),
  right('two spaces', `Bearer  ${token}`, 'RFC 9110, 11.4: 1*SP'),
  none('no Authorization', post(fresh().body, without), 'contract: security'),
  none('an empty Authorization', post(fresh().body, { Authorization: '' }), 'RFC 9110, 11.6.2'),
  none(
    'a token in the query',
    head(`POST /plants?access_token=${token}`, without),
    'contract: in the header'
  ),
  none(
    'a token in a cookie',
    post(fresh().body, { ...without, Cookie: `bearerAuth=${token}` }),
    'contract: in the header'
  ),
  none(
    'a token in another header',
    post(fresh().body, { ...without, 'Proxy-Authorization': `Bearer ${token}` }),
    'RFC 9110, 11.7.2'
  ),
  wrong('a wrong token', 'Bearer wrong', 'RFC 6750, 3.1'),
  wrong('the token in another case', `Bearer ${token.toUpperCase()}`, 'RFC 6750: tokens are case-sensitive'),
  wrong('a longer token', `Bearer ${token}x`, 'RFC 6750, 3.1'),
  wrong('a shorter token', `Bearer ${token.slice(0, -1)}`, 'RFC 6750, 3.1'),
  wrong('something after the token', `Bearer ${token} x`, 'RFC 6750, 2.1: b64token'),
  wrong('a second token', `Bearer ${token}, Bearer ${token}`, 'RFC 6750, 2.1: b64token'),
  wrong('a quoted token', `Bearer "${token}"`, 'RFC 6750, 2.1: b64token'),
  wrong('a tab', `Bearer\t${token}`, 'RFC 9110, 11.4: SP'),
  wrong('no token', 'Bearer', 'RFC 6750, 2.1: b64token'),
  wrong('only a space', 'Bearer ', 'RFC 6750, 2.1: b64token'),
  wrong('the token alone', token, 'RFC 9110, 11.4: a scheme'),
  wrong('Basic', `Basic ${Buffer.from(`user:${token}`).toString('base64')}`, 'contract: bearerAuth'),
  wrong('Bearerx', `Bearerx ${token}`, 'contract: bearerAuth'),
  wrong('two lines', [`Bearer ${token}`, 'Bearer wrong'], 'RFC 9110, 5.3: one line'),
  wrong('the same line twice', [`Bearer ${token}`, `Bearer ${token}`], 'RFC 9110, 5.3: one line'),
  wrong('characters beyond ASCII', 'Bearer t\u00e9st', 'RFC 6750, 2.1: b64token'),
  none(
    'before the media type',
    post('x', { ...without, 'Content-Type': 'text/plain' }),
    'authentication comes first'
  ),
  none('before the body is parsed', post('{', without), 'authentication comes first'),
  none('before a missing body', head('POST /plants', without), 'authentication comes first'),
  none(
    'before the length',
    head('POST /plants', { ...without, 'Content-Length': '99999999999' }),
    'authentication comes first'
  ),
  none(
    'while the body is unsent',
    head('POST /plants', { ...without, 'Content-Length': '1000000' }),
    'before a byte of it'
  ),
  none(
    'while chunks are unsent',
    head('POST /plants', { ...without, 'Transfer-Encoding': 'chunked' }),
    'before a byte of it'
  ),
  none(
    'Expect: 100-continue',
    head('POST /plants', { ...without, Expect: '100-continue', 'Content-Length': '1000000' }),
    'RFC 9110, 10.1.1: no 100 for a refusal'
  )
]
