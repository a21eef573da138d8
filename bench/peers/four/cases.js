/** The rows of the comparison: edits of a program, and requests to it. */
import { token } from './notes.ts'

const contract = 'openapi.yaml'

/** Sends a request with the token, and returns status and text. */
export async function ask(origin, { method = 'POST', path = '/notes', headers, body } = {}) {
  const all = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers
  }
  const sent = Object.entries(all).filter(([, value]) => value !== '')
  const response = await fetch(origin + path, { method, headers: sent, body })
  return { status: response.status, text: await response.text() }
}

const deletion = `    delete:
      operationId: deleteNote
      responses: { '204': { description: deleted } }
`
export const note = '{"id":1,"title":"a long title"}'
const without = { authorization: '' }

/**
 * Edits by their row: `edit` as [file, text, replacement], `name` where the edit is that of the tool, and the request
 * that the server should refuse.
 */
export const edits = {
  'an operation is added to the contract, and no handler': {
    name: 'operation',
    edit: [contract, /(?<=\/notes\/\{id\}:\n.*\n.*\n)/, deletion],
    request: { method: 'DELETE', path: '/notes/13' }
  },
  'a property is renamed in the contract': {
    name: 'rename',
    edit: [contract, /(?<=required: \[id, )title|\btitle(?=:.*\n.*\n +createdAt)/g, 'heading'],
    request: { body: '{"id":1,"heading":"x"}' }
  },
  'the contract is edited, and nothing generated again': {
    name: 'older',
    edit: [contract, 'maxLength: 200', 'maxLength: 5'],
    isOlder: true,
    request: { body: note }
  },
  'a handler sends a status that is not declared': { name: 'status', request: { body: note } },
  'the check of the token is left out': { name: 'token', request: { body: note, headers: without } }
}

/** The edit of the contract after which the time to the first answer is taken, and a request that it refuses. */
export const limit = {
  edit: [contract, 'maximum: 100', 'maximum: 5'],
  request: { method: 'GET', path: '/notes?limit=6' }
}

const refusedOr =
  (told) =>
  ({ status, text }) =>
    status >= 500 ? `${status}, the handler runs` : status >= 400 ? `${status}` : told(text)
const shows = (name) => refusedOr((text) => `silent: ${new RegExp(`(?<="${name}":)[^,}]*`).exec(text)?.[0]}`)
const accepts = refusedOr(() => 'silent')
const isError = (text) => /^{"code":\d+,"message":"[^"]/.test(text)
const post = (body, headers) => ({ body, headers })

/** Requests by their row, and the cell for the response. */
export const requests = {
  '`"5"` for an integer': [post('{"id":1,"title":"x","priority":"5"}'), shows('priority')],
  '`null` for an integer': [post('{"id":1,"title":"x","priority":null}'), shows('priority')],
  '`5` for a string': [post('{"id":1,"title":5}'), shows('title')],
  'an id of 9007199254740993': [
    post('{"id":9007199254740993,"title":"x"}'),
    refusedOr((text) => (text.includes('9007199254740993') ? 'exact' : 'silent: …992'))
  ],
  'no token, and broken JSON': [post('{"id":1,', without), ({ status }) => `${status}`],
  '`text/plain` for JSON': [post(note, { 'content-type': 'text/plain' }), accepts],
  'a `readOnly` property is sent': [
    post('{"id":1,"title":"x","createdAt":"1999-01-01T00:00:00Z"}'),
    refusedOr((text) => (text.includes('1999') ? 'silent: stored' : 'silent: dropped'))
  ],
  'a `writeOnly` property in an answer': [
    post('{"id":1,"title":"x","secret":"sesame"}'),
    refusedOr((text) => (text.includes('sesame') ? 'silent: sent' : 'dropped'))
  ],
  'a property that `additionalProperties: false` excludes': [
    post('{"id":1,"title":"x","colour":"red"}'),
    refusedOr(() => 'silent: dropped')
  ],
  'an answer that breaks its schema': [
    { method: 'GET', path: '/notes/13' },
    ({ status, text }) => (status === 200 ? `silent: ${/(?<="title":)[^,}]*/.exec(text)?.[0]}` : `${status}`)
  ],
  'an invalid body is answered in the contract’s Error': [
    post('{"id":1}'),
    ({ text }) => (isError(text) ? 'yes' : 'no')
  ],
  'a wrong method': [{ method: 'PUT' }, ({ status }) => `${status}`],
  'a merge-patch sent as `application/json`': [
    { method: 'PATCH', path: '/notes/1', body: '{"title":"y"}' },
    accepts
  ]
}
