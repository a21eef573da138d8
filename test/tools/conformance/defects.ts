/**
 * The planted defects of four contracts: for each check and operation the name of a defect, behind an arrow a pattern of
 * the message where the check alone does not show it, and its front.
 */
import type { ServerResponse } from 'node:http'
import type { Check } from '../../../src/tools/conformance/conformance.ts'
import {
  type Answered,
  answered,
  bearer,
  crashing,
  type Front,
  failing,
  given,
  inBody,
  inForm,
  inHeader,
  inList,
  inNumber,
  inObject,
  inParts,
  inQuery,
  inText,
  inUrl,
  key,
  type Members,
  membersOf,
  reading,
  refused,
  refusing,
  withBody,
  withHeaders
} from './fronts.ts'

type Defects = Readonly<Record<`${Check} ${string} /${string}`, Readonly<Record<string, Front>>>>

const number = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
const truth: Record<string, boolean> = { true: true, false: false, 0: false, 1: true }
const boolean = (value: unknown) => truth[String(value)] ?? value
const trueText = (text: string) =>
  /^(?:true|yes|on|1)$/i.test(text) ? 'true' : /^(?:false|no|off|0)$/i.test(text) ? 'false' : text
const lower = (text: string) => text.toLowerCase()
const numberText = (value: string) => (/^\s*[+]?\d+(?:\.0*)?\s*$/.test(value) ? String(Number(value)) : value)
const hyphens = (value: string) =>
  value.replace(/^\{?(\w{8})-?(\w{4})-?(\w{4})-?(\w{4})-?(\w{12})\}?$/, '$1-$2-$3-$4-$5')
const date = (value: string) => value.replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1')
const sizeOf = (value: unknown) => (Array.isArray(value) ? value.length : Number.NaN)
const queryOf = (url: string) => new URL(url, 'http://x').searchParams
const lastOf = (url: string) => decodeURIComponent(new URL(url, 'http://x').pathname.split('/').at(-1) ?? '')
const isBeyondInt64 = (value: unknown) => typeof value === 'bigint' && BigInt.asIntN(64, value) !== value
const int64Max = 2n ** 63n - 1n
const rounded = ({ body }: Answered) => ({ body: JSON.stringify(JSON.parse(body)) })

/** Writes blanks until the client leaves. */
function endless(response: ServerResponse): boolean {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
  return true
}

/** Credentials, resources, statuses and answers. */
const shop: Defects = {
  'invalid-request-accepted POST /items': {
    'the id is optional → body/id is required': inObject('', (body) => ({ id: 7, ...body })),
    'an id may be beyond int64': inBody('id', (id) => (isBeyondInt64(id) ? 7 : id)),
    'a kind may be anything → body/kind must be one of': inBody('kind', () => 'pot'),
    'a code may be anything → body/code must match': inBody('code', (code) =>
      /^[A-Z]{3}\d{2}$/.test(String(code)) ? code : 'ABC12'
    ),
    'a count may be beyond int32 → body/count must be': inBody('count', (count) =>
      Number(count) < 2 ** 31 ? count : 7
    ),
    'tags may be equal → body/tags must not have equal items': inList('tags', (tags) => [...new Set(tags)]),
    'a size may hold more → body/size/notDeclared is not allowed': inObject(
      'size',
      ({ notDeclared: _more, ...size }) => size
    ),
    'malformed JSON is accepted': reading((asked) => ({
      ...asked,
      body: 'id' in membersOf(asked.body) ? asked.body : '{"id":7,"name":"x","kind":"pot"}'
    }))
  },
  'invalid-request-accepted GET /items': {
    'a kind in the query may be anything → query/kind must be one of': inQuery('kind', () => 'pot'),
    'a header may be anything → headers/x-trace must match': inHeader('x-trace', () => 'abcdef01')
  },
  'invalid-request-accepted GET /items/{itemId}': {
    'the id in the path may be anything': inUrl((url) => url.replace(/^\/items\/[^/]+$/, '/items/7'))
  },
  'invalid-request-accepted PUT /items/{itemId}/price': {
    'a required parameter is optional': inUrl((url) => url.replace(/price$/, 'price?currency=EUR')),
    'an exclusive bound is inclusive': inBody('price', (value) => (value === 0 ? 1 : value))
  },
  'invalid-request-accepted POST /notes': {
    'long notes are accepted': reading((asked) => ({ ...asked, body: asked.body.slice(0, 2000) })),
    'a field may be anything': inForm('stars', () => '1')
  },
  'valid-request-refused POST /items': {
    'undeclared properties are refused': refusing(({ body }) => body.includes('undeclared')),
    '2^53 is refused': refusing(({ body }) => typeof membersOf(body)['id'] === 'bigint'),
    'null is refused': refusing(({ body }) => membersOf(body)['note'] === null)
  },
  'valid-request-refused DELETE /items/{itemId}': {
    'an alternative is forgotten': reading((asked) => given(asked, { 'x-key': '' }))
  },
  'server-error POST /items': {
    'emoji crash': failing(({ body }) => /\p{Extended_Pictographic}/u.test(body)),
    'U+0000 crashes': failing(({ body }) => body.includes(String.raw`\u0000`)),
    'a missing body crashes': failing(({ method, body }) => method === 'POST' && body === '')
  },
  'server-error GET /items/{itemId}': {
    'a wrong id in the path crashes': failing(({ url }) => /^\/items\/-?\d*[^\d-]/.test(url))
  },
  'server-error GET /status': { 'every request crashes': failing(() => true) },
  'time-out GET /status': {
    'an operation hangs': { instead: ({ url }) => url === '/status' },
    'an answer never ends': { instead: ({ url }, response) => url === '/status' && endless(response) }
  },
  'connection GET /status': {
    'an operation closes the connection': {
      instead: ({ url }, { socket }) => url === '/status' && socket?.destroy() !== undefined
    }
  },
  'missing-credentials-accepted GET /items': {
    'no credentials are asked for': reading((asked) => given(asked, bearer))
  },
  'missing-credentials-accepted PUT /items/{itemId}/price': {
    'one of two credentials is enough': reading((asked) => given(asked, { 'x-key': key }))
  },
  'wrong-credentials-accepted GET /items': {
    'every token is accepted': reading((asked) =>
      asked.headers['authorization'] === undefined ? asked : given(asked, bearer)
    )
  },
  'unauthorized-status GET /items': {
    'no credentials are malformed': answered(401, () => ({ status: 400 }))
  },
  'undeclared-method PUT /items': {
    'an undeclared method is answered': answered(405, () => ({ status: 200 })),
    'an undeclared method is 404': answered(405, () => ({ status: 404 })),
    'Allow leaves a method out': withHeaders(405, (headers) => ({ ...headers, allow: 'GET' }))
  },
  'undeclared-status POST /items': {
    'the status is undeclared': answered(201, () => ({ status: 202 })),
    '403 is undeclared': answered(401, () => ({ status: 403 }))
  },
  'undeclared-status DELETE /items/{itemId}': {
    'a deletion answers 200': answered(204, () => ({ status: 200 }))
  },
  'response-media-type GET /items': {
    'the media type is undeclared': withHeaders(200, (all) => ({ ...all, 'content-type': 'text/plain' }))
  },
  'response-header GET /items': {
    'a required header is missing': withHeaders(200, ({ 'x-total': _total, ...all }) => all)
  },
  'response-header POST /items': {
    'a header does not match': withHeaders(201, (all) => ({ ...all, location: 'items' }))
  },
  'response-body POST /items': {
    'the answer lacks a property': withBody(201, ({ kind: _kind, ...body }) => body),
    'the answer is empty': answered(201, ({ headers: { 'content-type': _type, ...headers } }) => ({
      headers,
      body: ''
    })),
    'refusals have another shape': withBody(400, () => ({ error: 1 }))
  },
  'response-body GET /items': {
    'a list is an object': withBody(200, (all) => (Array.isArray(all) ? {} : all))
  },
  'response-body GET /items/{itemId}': { 'the id of the path comes back rounded': answered(200, rounded) },
  'response-body POST /notes': { 'the text does not match': answered(200, () => ({ body: 'long' })) },
  'response-body GET /status': {
    'a date is not a date': withBody(200, (all) => ({ ...all, since: 'yesterday' }))
  },
  'value-changed POST /items': {
    'int64 is rounded': answered(201, rounded),
    'a text is cut': withBody(201, (all) => ({ ...all, name: String(all['name']).slice(0, 20) }))
  },
  'created-not-found GET /items/{itemId}': {
    'what is created is lost': {
      answer: (all, { method, url }) =>
        method === 'GET' && url.startsWith('/items/')
          ? { ...refused(404), body: '{"message":"no such item"}' }
          : all
    }
  }
}

const bodyOf = (change: (room: Members) => unknown) => withBody(2, change)
const isDeep = /(?:[[{][^[\]{}]*){33}/
const one = (count: unknown, remainder: number) => Number(count) % 40 === remainder

/** Nearly right values that are read as right ones, and what a strict reading shows. */
const hostel: Defects = {
  'invalid-request-accepted POST /rooms': {
    'a text of digits is an integer → body/beds': inBody('beds', number),
    'a text of digits is a number → body/price': inBody('price', number),
    'a text of digits is an integer, nested → body/size/width': inBody('size/width', number),
    'a text of digits is an integer in a list → body/items/./count': inBody('items/*/count', number),
    'a text of digits is an integer in a map → body/prices/': inBody('prices/*', number),
    'a text of digits is an integer in a branch → body/host/id': inBody('host/id', number),
    '0, 1 and texts are booleans → body/open': inBody('open', boolean),
    '1 is true → body/open': inBody('open', (value) => (value === 1 || value === 0 ? value === 1 : value)),
    '"true" is true, nested → body/size/flat': inBody('size/flat', (value) =>
      value === 'true' ? true : value
    ),
    '"true" is true in a list → body/items/./whole': inBody('items/*/whole', (value) =>
      value === 'true' ? true : value
    ),
    'a number is a text → body/note': inBody('note', (value) =>
      ['number', 'boolean'].includes(typeof value) ? String(value) : value
    ),
    'a fraction is cut → body/beds': inNumber('beds', Math.trunc),
    'letter case of an enum → body/kind': inText('kind', lower),
    'letter case of a nested enum → body/size/unit': inText('size/unit', lower),
    'spaces around an enum → body/kind': inText('kind', (value) => value.trim()),
    'a UUID without hyphens → body/owner': inText('owner', hyphens),
    'a date with a time → body/day': inText('day', date),
    'a date-time without an offset → body/cleaned': inText('cleaned', (value) =>
      /\dZ$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`
    ),
    'an item is a list → body/tags': inBody('tags', (value) =>
      Array.isArray(value) || value === undefined ? value : [value]
    ),
    'null is absent → body/note': inBody('note', (value) => value ?? undefined),
    'an empty text is absent → body/beds': inBody('beds', (value) => (value === '' ? 1 : value)),
    'a longer list is cut → body/tags': inList('tags', (value) => value.slice(0, 4)),
    'a longer list of objects is cut → body/items': inList('items', (value) => value.slice(0, 6)),
    'a larger map is cut → body/prices': inObject('prices', (map) =>
      Object.fromEntries(Object.entries(map).slice(0, 5))
    ),
    'a longer text is cut → body/name': inText('name', (value) => value.slice(0, 12)),
    'a number below its bound is raised → body/step': inNumber('step', (value) =>
      value % 5 === 0 ? Math.max(value, 10) : value
    )
  },
  'invalid-request-accepted GET /rooms': {
    'a plus before a number → query/limit': inQuery('limit', numberText),
    'a number that goes on with letters → query/limit': inQuery('limit', (value) =>
      String(Number.isNaN(Number.parseInt(value, 10)) ? value : Number.parseInt(value, 10))
    ),
    'yes is true → query/open': inQuery('open', trueText),
    'True is true → query/open': inQuery('open', (value) =>
      /^(?:true|false)$/i.test(value) ? lower(value) : value
    ),
    '1 is true in the query → query/open': inQuery('open', (value) => (value === '1' ? 'true' : value)),
    'letter case of an enum in the query → query/kind': inQuery('kind', lower),
    'a UUID without hyphens in the query → query/owner': inQuery('owner', hyphens),
    'a date with a time in the query → query/since': inQuery('since', date),
    'a plus in a list → query/floors': inQuery('floors', (value) =>
      value.replaceAll(/(?<=^|,)\+(?=\d)/g, '')
    ),
    'a longer list in the query is cut → query/floors': inQuery('floors', (value) =>
      value.split(',').slice(0, 3).join(',')
    ),
    'a plus in deepObject → query/near/floor': inQuery('near[floor]', numberText),
    'yes in deepObject → query/near/lift': inQuery('near[lift]', trueText),
    'a plus in a header → headers/x-depth': inHeader('x-depth', numberText),
    'letter case of an enum in a header → headers/x-unit': inHeader('x-unit', lower),
    'yes in a cookie → cookies/fast': inHeader('cookie', (value) =>
      value.replace(/fast=(?:yes|1|on)\b/, 'fast=true')
    )
  },
  'invalid-request-accepted GET /rooms/{floor}/{from}': {
    'a plus in a path → params/floor': inUrl((url) => url.replace(/\/(?:\+|%2B)(\d+)\//, '/$1/')),
    'a date with a time in a path → params/from': inUrl((url) =>
      url.replace(/(\/\d{4}-\d\d-\d\d)T[^/?]*/, '$1')
    )
  },
  'invalid-request-accepted PUT /guests': {
    'a plus in a form → body/age': inForm('age', numberText),
    'yes in a form → body/member': inForm('member', trueText),
    'letter case of an enum in a form → body/kind': inForm('kind', lower),
    'a date with a time in a form → body/born': inForm('born', date)
  },
  'valid-request-refused POST /rooms': {
    'an integer with a fraction of zero is refused → 1.0': refusing(({ body }) => /\d\.0\b/.test(body))
  },
  'server-error POST /rooms': {
    'an integer with a fraction of zero fails in a nested place → 1.0': crashing(({ body }) =>
      /"width":-?\d+\.0\b/.test(body)
    ),
    'the parser takes 32 levels': failing(({ body }) => isDeep.test(body)),
    'an unpaired surrogate crashes a pattern': failing(({ body }) => /"name":"[^"]*\\ud8/i.test(body)),
    'one number in forty fails': failing(({ body }) => /"beds":17\b/.test(body)),
    'one day in forty fails': failing(({ body }) => /"day":"\d{4}-\d\d-13"/.test(body)),
    'one in forty of a text fails': failing(({ body }) =>
      one(String(membersOf(body)['note'] ?? '').length, 17)
    ),
    'one in forty of a nested number fails': failing(({ body }) =>
      one(Object(membersOf(body)['size'])['width'], 20)
    )
  },
  'server-error POST /trees': {
    'the parser takes 32 levels of trees': failing(({ body }) => isDeep.test(body)),
    'an unpaired surrogate crashes the parser': failing(({ body }) => /\\ud8/i.test(body))
  },
  'server-error GET /rooms/{floor}/{from}': {
    'one number in forty fails in a path': failing(({ url }) => /\/rooms\/17\//.test(url))
  },
  'server-error GET /rooms': {
    'one number in forty fails in a query': failing(({ url }) => /limit=37\b/.test(url)),
    'one in forty of a header fails': failing(({ headers }) => one(headers['x-depth'], 13))
  },
  'server-error PUT /guests': {
    'one in forty of a field fails': failing(({ body }) => one(new URLSearchParams(body).get('age'), 13))
  },
  'response-body POST /rooms': {
    'a secret is answered → body/room/secret': bodyOf(({ room }) => ({
      room: { ...Object(room), secret: 'secret' }
    })),
    'an answer has a text for an integer → body/room/beds': bodyOf(({ room }) => ({
      room: { ...Object(room), beds: '1' }
    }))
  },
  'response-body GET /rooms/{floor}/{from}': {
    'a nested secret is answered → body/door/code': bodyOf((room) => ({ ...room, door: { code: '1234' } }))
  },
  'response-body GET /rooms': {
    'a secret is answered in a list → body/./secret': bodyOf(() => [
      { name: 'Room', beds: 1, secret: 'secret' }
    ]),
    'an answer has a longer list → at most 20': bodyOf(() =>
      Array.from({ length: 21 }, (_, beds) => ({ name: 'Room', beds: beds + 1 }))
    )
  },
  'response-body DELETE /rooms': {
    'an answer without content has a length → 204': withHeaders(204, (headers) => ({
      ...headers,
      'Content-Length': 5
    }))
  },
  'response-header GET /rooms': {
    'a header has a text for an integer → x-total': withHeaders(2, (all) => ({ ...all, 'x-total': '1.5' })),
    'a header has a date-time for a date → x-day': withHeaders(2, (all) => ({
      ...all,
      'x-day': '2026-01-01T00:00:00Z'
    }))
  }
}

/** Fails to delete what no request had created before. */
function deletingUnknown(): Front {
  const isKnown = new Map<string, boolean>()
  return reading((asked) => {
    const id = asked.method === 'POST' ? String(membersOf(asked.body)['id']) : lastOf(asked.url)
    if (!isKnown.has(id)) isKnown.set(id, asked.method === 'POST')
    if (asked.method === 'DELETE' && isKnown.get(id) === false) throw new TypeError('undefined')
    return asked
  })
}
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0

/** Resources with an id that the client chooses, a login, a stream. */
const desk: Defects = {
  'invalid-request-accepted PATCH /tickets/{ticketId}': {
    'an empty body is taken for {} → body is empty': reading((asked) => ({
      ...asked,
      body: asked.body || (asked.headers['content-type'] ? '{}' : '')
    }))
  },
  'invalid-request-accepted GET /tickets': {
    'a parameter may be sent twice → query/limit is given more than once': inUrl((url) =>
      url.replace(/(limit=[^&]*)&(.*&)?limit=[^&]*/, '$1&$2')
    ),
    'an empty number is taken for none → query/limit': inUrl((url) => url.replace(/limit=(?=&|$)/, ''))
  },
  'invalid-request-accepted PUT /tickets/{ticketId}': {
    'only the first item is validated → body/assignees/[1-9]': inList('assignees', (list) => list.slice(0, 1))
  },
  'invalid-request-accepted POST /tickets': {
    'a line break at the end is taken → body/labels/. must match': inText('labels/*', (label) =>
      label.replace(/\n$/, '')
    ),
    'a multiple is not checked → body/estimate must be a multiple': inNumber('estimate', (value) =>
      value < 0 ? value : 1
    )
  },
  'invalid-request-accepted POST /tickets/{ticketId}/comments': {
    'a bound inside a form is not checked → body/stars': inForm('stars', (text) =>
      /^\d+$/.test(text) ? '5' : text
    ),
    'a reply is not validated → body/replies': inBody('replies/*', () => ({ text: 'x' }))
  },
  'invalid-request-accepted POST /search': {
    'a nested property may be missing → body/range': inObject('range', (range) => ({ from: 1, ...range }))
  },
  'valid-request-refused PUT /tickets/{ticketId}': {
    'zero is refused': refusing(({ body }) => membersOf(body)['estimate'] === 0),
    'false is refused': refusing(({ body }) => membersOf(body)['urgent'] === false)
  },
  'valid-request-refused GET /tickets': {
    'listed values but the first are refused': refusing(
      ({ url }) => (queryOf(url).get('status') ?? 'open') !== 'open'
    )
  },
  'valid-request-refused POST /tickets/{ticketId}/comments': {
    'a text of more than 10,000 characters is refused → long text': refusing(
      ({ body }) => String(membersOf(body)['text']).length > 10_000,
      413
    )
  },
  'valid-request-refused POST /login': {
    'a charset is refused → charset': refusing(
      ({ headers }) => String(headers['content-type']).includes(';'),
      415
    )
  },
  'server-error POST /tickets': {
    'the largest int64 crashes → number': crashing(({ body }) => membersOf(body)['serial'] === int64Max),
    'the largest id crashes → id at the bounds': crashing(({ body }) => membersOf(body)['id'] === int64Max),
    'null for a list crashes → body/labels must be array': failing(
      ({ body }) => membersOf(body)['labels'] === null
    ),
    'a full list crashes → list': crashing(({ body }) => sizeOf(membersOf(body)['labels']) === 5)
  },
  'server-error GET /tickets/{ticketId}': {
    'one id in fifty crashes → 500 to a valid request': crashing(({ url }) =>
      /^\d{1,9}[16]7$/.test(lastOf(url))
    ),
    'a body where none is crashes → body': failing(({ body }) => body !== ''),
    'an unknown Accept crashes → Accept': failing(({ headers }) =>
      String(headers['accept']).includes('undeclared')
    )
  },
  'server-error DELETE /tickets/{ticketId}': {
    'a resource that nobody created crashes → nobody created': deletingUnknown()
  },
  'server-error PUT /tickets/{ticketId}': {
    'an empty list crashes → list': crashing(({ body }) => sizeOf(membersOf(body)['assignees']) === 0),
    'a missing optional property crashes → 500 to a valid request': crashing(
      ({ body }) => !('labels' in membersOf(body))
    )
  },
  'connection PUT /tickets/{ticketId}': {
    'a text of more than 60 characters cuts the connection → long text': {
      instead: ({ body }, { socket }) =>
        String(membersOf(body)['title']).length > 60 && socket?.destroy() !== undefined
    }
  },
  'server-error GET /tickets': {
    'a text is decoded twice → Unicode': failing(
      ({ url }) => decodeURIComponent(queryOf(url).get('q') ?? '') === undefined
    ),
    'a media type of the answer crashes → Accept: text/csv': failing(({ headers }) =>
      String(headers['accept']).includes('text/csv')
    )
  },
  'server-error POST /tickets/{ticketId}/comments': {
    'a second media type crashes → 500 to a valid request': crashing(({ headers }) =>
      String(headers['content-type']).includes('form')
    ),
    'nested replies crash → 500 to a valid request': crashing(({ body }) => levelsOf(membersOf(body)) > 30)
  },
  'server-error POST /login': {
    'constructor is a user → 500 to a valid request': crashing(
      ({ body }) => membersOf(body)['user'] === 'constructor'
    )
  },
  'server-error POST /search': {
    'a second branch crashes → 500 to a valid request': crashing(
      ({ body }) => membersOf(body)['kind'] === 'range'
    )
  }
}

const kinds = ['card', 'transfer', 'voucher']
const paymentOf = (body: string): Members => Object(membersOf(body)['payment'])
const valuesOf = (body: string): unknown[] =>
  [membersOf(body)['lines'] ?? []].flat().flatMap((line) => [Object(line).options ?? []].flat())
const captionOf = (body: string) => /name="caption"\r\n\r\n(.*?)\r\n--/s.exec(body)?.[1] ?? ''
const countOf = (body: string, name: string) => body.split(`name="${name}"`).length - 1
const numbersOf = (url: string) => lastOf(url).split(',')

/** Ids that the server makes, nested lists, forms with files, texts and lists in each style. */
const depot: Defects = {
  'invalid-request-accepted POST /orders': {
    'a line may have undeclared properties → body/lines/./notDeclared is not allowed': inObject(
      'lines/*',
      ({ notDeclared: _more, ...line }) => line
    ),
    'a list may be longer than its bound → body/lines must have at most 20 items': inList('lines', (lines) =>
      lines.slice(0, 20)
    ),
    'codes of the third payment are not checked → body/payment/codes/. must be string': inBody(
      'payment/codes/*',
      () => 'abcdef'
    ),
    'values of a map are not checked → body/weights/.* must be number': inBody('weights/*', () => 1),
    'what depends on a property may be missing → body/gift is required when giftText is present': inObject(
      '',
      (order) => ('giftText' in order ? { gift: true, ...order } : order)
    ),
    'a date may have 31 days in each month → body/due must be a valid date': inText('due', (due) =>
      due.replace(/^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/, '2026-01-01')
    ),
    'a pattern is not anchored → body/lines/./sku must match pattern': inText(
      'lines/*/sku',
      (sku) => /[A-Z]{3}-\d{4}/.exec(sku)?.[0] ?? sku
    )
  },
  'invalid-request-accepted PATCH /orders/{orderId}': {
    'a change of nothing is taken → body must have at least 1 property': inObject('', (change) =>
      Object.keys(change).length > 0 ? change : { gift: true }
    )
  },
  'invalid-request-accepted GET /orders': {
    'a required header may be missing → headers/x-tenant is required': reading((asked) => ({
      ...asked,
      headers: { 'x-tenant': 'some', ...asked.headers }
    })),
    'a bound of a header is not checked → headers/x-depth must be >= 0': inHeader('x-depth', (text) =>
      /^-?\d+$/.test(text) ? '0' : text
    ),
    'only the first id of a list is checked → query/ids/. must be a valid uuid': inQuery(
      'ids',
      (ids) => ids.split('|')[0] ?? ''
    ),
    'a list in a query may have duplicates → query/sort must not have equal items': inQuery('sort', (sort) =>
      [...new Set(sort.split(','))].join(',')
    ),
    'a bound in deepObject is not checked → query/filter/min must be >= 1': inQuery('filter[min]', (min) =>
      /^-?\d+$/.test(min) ? '1' : min
    ),
    'a cookie is not checked → cookies/lang must be one of': inHeader('cookie', (cookie) =>
      cookie.replace(/lang=[^;]*/, 'lang=de')
    )
  },
  'invalid-request-accepted POST /orders/{orderId}/files': {
    'a part that is required may be missing → body/caption is required': inParts((parts) =>
      parts.some(({ name }) => name === 'caption')
        ? parts
        : [...parts, { name: 'caption', text: 'content-disposition: form-data; name="caption"\r\n\r\nx\r\n' }]
    ),
    'a second file is taken → body/file is sent twice': inParts((parts) =>
      parts.filter(({ name }, at) => name !== 'file' || parts.findIndex((each) => each.name === name) === at)
    ),
    'a file may be of any size → body/file must have at most 5000 bytes': inParts((parts) =>
      parts.map((part) =>
        part.name === 'file' && part.text.length > 5000
          ? { ...part, text: `${part.text.slice(0, 4000)}\r\n` }
          : part
      )
    ),
    'a part of JSON is not checked → body/place must be object': inParts((parts) =>
      parts.filter(({ name }) => name !== 'place')
    ),
    'an undeclared part is taken → body/notDeclared is not allowed': inParts((parts) =>
      parts.filter(({ name }) => ['file', 'caption', 'tags', 'place'].includes(name))
    )
  },
  'invalid-request-accepted GET /areas/{box}': {
    'three numbers are taken for four → params/box must have at least 4 items': inUrl((url) =>
      numbersOf(url).length === 3 ? `${url},0` : url
    ),
    'the last number of a path is not checked → params/box/3 must be >= -180': inUrl((url) =>
      numbersOf(url).length === 4 ? url.replace(/[^,C]*$/, '0') : url
    )
  },
  'valid-request-refused POST /orders': {
    'an email with a plus is refused → with another form of a format': refusing(({ body }) =>
      String(membersOf(body)['customer']).includes('+')
    )
  },
  'valid-request-refused POST /orders/{orderId}/files': {
    'texts of a form are cut at 80 bytes → with unusual Unicode': refusing(
      ({ body }) => Buffer.byteLength(captionOf(body)) > 80
    )
  },
  'valid-request-refused PUT /notes/{name}': {
    'a text is measured in UTF-16 → with unusual Unicode': refusing(({ body }) => body.length > 300)
  },
  'valid-request-refused GET /areas/{box}': {
    'a bound itself is refused': refusing(({ url }) => numbersOf(url).some((text) => Number(text) === 180))
  },
  'server-error POST /orders': {
    'an unknown kind of payment crashes → body/payment/kind must be one of': failing(
      ({ body }) => !kinds.includes(String(paymentOf(body)['kind'] ?? kinds[0]))
    ),
    'a payment without kind crashes → body/payment/kind is required': failing(
      ({ body }) => 'payment' in membersOf(body) && paymentOf(body)['kind'] === undefined
    ),
    'due that is null crashes → with null': crashing(({ body }) => membersOf(body)['due'] === null),
    'a body that is a list crashes → body must be object': failing(({ body }) => body.startsWith('[')),
    'an empty key of a map crashes → with undeclared properties': crashing(
      ({ body }) => '' in Object(membersOf(body)['weights'])
    ),
    'null in a nested list crashes → with null': crashing(({ body }) =>
      valuesOf(body).some((option) => Object(option).value === null)
    )
  },
  'server-error GET /orders': {
    'a cookie in French crashes → 500 to a valid request': crashing(({ headers }) =>
      /lang=fr/.test(String(headers['cookie']))
    ),
    'both properties of a filter crash → 500 to a valid request': crashing(({ url }) =>
      ['state', 'min'].every((name) => queryOf(url).has(`filter[${name}]`))
    ),
    'an undeclared property in deepObject crashes → query/filter/notDeclared is not allowed': failing(
      ({ url }) => queryOf(url).has('filter[notDeclared]')
    ),
    'a date with an offset crashes → with another form of a format': crashing(({ url }) =>
      /[+-]\d\d:\d\d$/.test(queryOf(url).get('since') ?? '')
    ),
    'a list of three in a query crashes → with full lists': crashing(
      ({ url }) => queryOf(url).get('sort')?.split(',').length === 3
    ),
    'JSON in a query that is malformed crashes → query/where is not valid JSON': failing(
      ({ url }) => JSON.parse(queryOf(url).get('where') ?? '0') === undefined
    )
  },
  'response-body GET /orders/{orderId}': {
    'an order that nobody created is empty → 200: body/id is required': withBody(200, () => ({}))
  },
  'server-error PATCH /orders/{orderId}': {
    'two changes at once crash → 500 to a valid request': crashing(
      ({ body }) => Object.keys(membersOf(body)).length > 1
    )
  },
  'server-error POST /orders/{orderId}/files': {
    'an empty file crashes → with unusual Unicode': crashing(({ body }) =>
      /name="file"[\s\S]*?\r\n\r\n\r\n--/.test(body)
    ),
    'two tags crash → 500 to a valid request': crashing(({ body }) => countOf(body, 'tags') === 2),
    'an id in capitals crashes → for a resource that nobody created': failing(({ url }) =>
      /orders\/[^/]*[A-F]/.test(url)
    ),
    'a form without boundary crashes → headers/content-type has no boundary': failing(({ headers }) =>
      /^multipart\/(?!.*boundary=)/.test(String(headers['content-type']))
    )
  },
  'server-error PUT /notes/{name}': {
    'a name is decoded twice → for a resource that nobody created': failing(
      ({ url }) => decodeURIComponent(lastOf(url)) === undefined
    ),
    'a name that an object has crashes → for a resource that nobody created': crashing(
      ({ url }) => lastOf(url) in {}
    )
  }
}

export const defects: Readonly<Record<string, Defects>> = { shop, hostel, desk, depot }
