/** Defects of the hostel: servers that read nearly right values as right ones, and others that a strict reading shows. */
import {
  type Asked,
  type Defect,
  failing,
  inBody,
  inForm,
  inHeader,
  inQuery,
  inUrl,
  refused
} from './fronts.ts'

const number = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
const truth: Record<string, boolean> = { true: true, false: false, 0: false, 1: true }
const boolean = (value: unknown) => truth[String(value)] ?? value
const trueText = (text: string) =>
  /^(?:true|yes|on|1)$/i.test(text) ? 'true' : /^(?:false|no|off|0)$/i.test(text) ? 'false' : text
const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)
const lowerText = (text: string) => text.toLowerCase()
const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
const text = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
const numberText = (value: string) => (/^\s*[+]?\d+(?:\.0*)?\s*$/.test(value) ? String(Number(value)) : value)
const hyphens = (value: string) =>
  value.replace(/^\{?(\w{8})-?(\w{4})-?(\w{4})-?(\w{4})-?(\w{12})\}?$/, '$1-$2-$3-$4-$5')
const date = (value: string) => value.replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1')
const onText = (change: (value: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value
const listed = (value: unknown) => (Array.isArray(value) || value === undefined ? value : [value])

const post = 'POST /rooms'
const get = 'GET /rooms'
const lax = (place: RegExp | string) => new RegExp(`breaks the contract: ${place}`)
const accepted = 'invalid-request-accepted' as const

const body = (defect: string, path: string, coerce: (value: unknown) => unknown): Defect => [
  defect,
  inBody(path, coerce),
  accepted,
  post,
  lax(`body/${path.replaceAll('*', String.raw`[\w~]*`)}`)
]
const query = (defect: string, name: string, coerce: (text: string) => string): Defect => [
  defect,
  inQuery(name, coerce),
  accepted,
  get,
  lax(`query/${name.replace('[', '/').replace(']', '')}`)
]

export const hostelDefects: readonly Defect[] = [
  body('a text of digits is an integer', 'beds', number),
  body('a text of digits is a number', 'price', number),
  body('a text of digits is an integer, nested', 'size/width', number),
  body('a text of digits is an integer in a list', 'items/*/count', number),
  body('a text of digits is an integer in a map', 'prices/*', number),
  [
    'a text of digits is an integer in a branch',
    inBody('host/id', number),
    accepted,
    post,
    lax('body/host/id')
  ],
  body('0, 1 and texts are booleans', 'open', boolean),
  body('1 is true', 'open', (value) => (value === 1 || value === 0 ? value === 1 : value)),
  body('"true" is true, nested', 'size/flat', (value) => (value === 'true' ? true : value)),
  body('"true" is true in a list', 'items/*/whole', (value) => (value === 'true' ? true : value)),
  body('a number is a text', 'note', text),
  body('a fraction is cut', 'beds', (value) => (typeof value === 'number' ? Math.trunc(value) : value)),
  body('letter case of an enum', 'kind', lower),
  body('letter case of a nested enum', 'size/unit', lower),
  body('spaces around an enum', 'kind', trimmed),
  body('a UUID without hyphens', 'owner', onText(hyphens)),
  body('a date with a time', 'day', onText(date)),
  body(
    'a date-time without an offset',
    'cleaned',
    onText((value) => (/\dZ$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`))
  ),
  body('an item is a list', 'tags', listed),
  body('null is absent', 'note', (value) => value ?? undefined),
  body('an empty text is absent', 'beds', (value) => (value === '' ? 1 : value)),
  body('a longer list is cut', 'tags', (value) => (Array.isArray(value) ? value.slice(0, 4) : value)),
  body('a longer list of objects is cut', 'items', (value) =>
    Array.isArray(value) ? value.slice(0, 6) : value
  ),
  body('a larger map is cut', 'prices', (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).slice(0, 5))
      : value
  ),
  body(
    'a longer text is cut',
    'name',
    onText((value) => value.slice(0, 12))
  ),
  body('a number below its bound is raised', 'step', (value) =>
    typeof value === 'number' && value % 5 === 0 ? Math.max(value, 10) : value
  ),
  query('a plus before a number', 'limit', numberText),
  query('a number that goes on with letters', 'limit', (value) =>
    String(Number.isNaN(Number.parseInt(value, 10)) ? value : Number.parseInt(value, 10))
  ),
  query('yes is true', 'open', trueText),
  query('True is true', 'open', (value) => (/^(?:true|false)$/i.test(value) ? value.toLowerCase() : value)),
  query('1 is true in the query', 'open', (value) => (value === '1' ? 'true' : value)),
  query('letter case of an enum in the query', 'kind', lowerText),
  query('a UUID without hyphens in the query', 'owner', hyphens),
  query('a date with a time in the query', 'since', date),
  query('a plus in a list', 'floors', (value) =>
    value
      .split(',')
      .map((each) => each.replace(/^\+(?=\d)/, ''))
      .join(',')
  ),
  query('a longer list in the query is cut', 'floors', (value) => value.split(',').slice(0, 3).join(',')),
  query('a plus in deepObject', 'near[floor]', numberText),
  query('yes in deepObject', 'near[lift]', trueText),
  ['a plus in a header', inHeader('x-depth', numberText), accepted, get, lax('headers/x-depth')],
  ['letter case of an enum in a header', inHeader('x-unit', lowerText), accepted, get, lax('headers/x-unit')],
  [
    'yes in a cookie',
    inHeader('cookie', (value) => value.replace(/fast=(?:yes|1|on)\b/, 'fast=true')),
    accepted,
    get,
    lax('cookies/fast')
  ],
  [
    'a plus in a path',
    inUrl((url) => url.replace(/\/(?:\+|%2B)(\d+)\//, '/$1/')),
    accepted,
    'GET /rooms/{floor}/{from}',
    lax('params/floor')
  ],
  [
    'a date with a time in a path',
    inUrl((url) => url.replace(/(\/\d{4}-\d\d-\d\d)T[^/?]*/, '$1')),
    accepted,
    'GET /rooms/{floor}/{from}',
    lax('params/from')
  ],
  ['a plus in a form', inForm('age', numberText), accepted, 'PUT /guests', lax('body/age')],
  ['yes in a form', inForm('member', trueText), accepted, 'PUT /guests', lax('body/member')],
  ['letter case of an enum in a form', inForm('kind', lowerText), accepted, 'PUT /guests', lax('body/kind')],
  ['a date with a time in a form', inForm('born', date), accepted, 'PUT /guests', lax('body/born')],
  // Values that are right.
  [
    'an integer with a fraction of zero is refused',
    { answer: (all, { body }) => (/\d\.0\b/.test(body) ? refused(400) : all) },
    'valid-request-refused',
    post,
    /1\.0/
  ],
  [
    'an integer with a fraction of zero fails in a nested place',
    { answer: (all, { body }) => (/"width":-?\d+\.0\b/.test(body) ? refused(500) : all) },
    'server-error',
    post,
    /1\.0/
  ],
  [
    'the parser takes 32 levels',
    failing(({ body }) => /(?:[[{][^[\]{}]*){33}/.test(body)),
    'server-error',
    post,
    /500/
  ],
  [
    'the parser takes 32 levels of trees',
    failing(({ body }) => /(?:[[{][^[\]{}]*){33}/.test(body)),
    'server-error',
    'POST /trees',
    /500/
  ],
  [
    'an unpaired surrogate crashes the parser',
    failing(({ body }) => /\\ud8/i.test(body)),
    'server-error',
    'POST /trees',
    /500/
  ],
  [
    'an unpaired surrogate crashes a pattern',
    failing(({ body }) => /"name":"[^"]*\\ud8/i.test(body)),
    'server-error',
    post,
    /500/
  ],
  ['one number in forty fails', failing(({ body }) => /"beds":17\b/.test(body)), 'server-error', post, /500/],
  [
    'one number in forty fails in a path',
    failing(({ url }) => /\/rooms\/17\//.test(url)),
    'server-error',
    'GET /rooms/{floor}/{from}',
    /500/
  ],
  [
    'one number in forty fails in a query',
    failing(({ url }) => /limit=37\b/.test(url)),
    'server-error',
    get,
    /500/
  ],
  [
    'one day in forty fails',
    failing(({ body }) => /"day":"\d{4}-\d\d-13"/.test(body)),
    'server-error',
    post,
    /500/
  ],
  ...(
    [
      ['a text', post, (asked) => String(parsed(asked.body)['note'] ?? '').length % 40 === 17],
      ['a nested number', post, (asked) => Number(Object(parsed(asked.body)['size'])['width']) % 40 === 13],
      ['a header', get, (asked) => Number(asked.headers['x-depth']) % 40 === 13],
      ['a field', 'PUT /guests', (asked) => Number(new URLSearchParams(asked.body).get('age')) % 40 === 13]
    ] as const satisfies [string, string, (asked: Asked) => boolean][]
  ).map(
    ([what, operation, isHit]): Defect => [
      `one in forty of ${what} fails`,
      failing(isHit),
      'server-error',
      operation,
      /500/
    ]
  ),
  // Answers.
  [
    'a secret is answered',
    { answer: (all) => withMember(all, ({ room }) => ({ room: { ...Object(room), secret: 'secret' } })) },
    'response-body',
    post,
    /body\/room\/secret/
  ],
  [
    'a nested secret is answered',
    { answer: (all) => withMember(all, (room) => ({ ...room, door: { code: '1234' } })) },
    'response-body',
    'GET /rooms/{floor}/{from}',
    /body\/door\/code/
  ],
  [
    'a secret is answered in a list',
    {
      answer: (all) =>
        all.status === 200
          ? { ...all, body: JSON.stringify([{ name: 'Room', beds: 1, secret: 'secret' }]) }
          : all
    },
    'response-body',
    get,
    /body\/\d\/secret/
  ],
  [
    'an answer without content has a length',
    {
      answer: (all, { method }) =>
        method === 'DELETE' ? { ...all, headers: { ...all.headers, 'Content-Length': 5 } } : all
    },
    'response-body',
    'DELETE /rooms',
    /204/
  ],
  [
    'a header has a text for an integer',
    { answer: (all) => ({ ...all, headers: { ...all.headers, 'x-total': '1.5' } }) },
    'response-header',
    get,
    /x-total/
  ],
  [
    'a header has a date-time for a date',
    { answer: (all) => ({ ...all, headers: { ...all.headers, 'x-day': '2026-01-01T00:00:00Z' } }) },
    'response-header',
    get,
    /x-day/
  ],
  [
    'an answer has a longer list',
    {
      answer: (all) =>
        all.status === 200
          ? {
              ...all,
              body: JSON.stringify(
                Array.from({ length: 21 }, (_, beds) => ({ name: 'Room', beds: beds + 1 }))
              )
            }
          : all
    },
    'response-body',
    get,
    /at most 20/
  ],
  [
    'an answer has a text for an integer',
    { answer: (all) => withMember(all, ({ room }) => ({ room: { ...Object(room), beds: '1' } })) },
    'response-body',
    post,
    /body\/room\/beds/
  ]
]

function withMember<T extends { readonly status: number; readonly body: string }>(
  all: T,
  change: (room: Record<string, unknown>) => object
): T {
  return all.status < 300 ? { ...all, body: JSON.stringify(change(JSON.parse(all.body))) } : all
}

function parsed(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}
