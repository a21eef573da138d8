/** Defects of the desk, planted before the search that has to find them; each with the finding that shows it. */
import type { Check } from '../../../src/compiler/conformance.ts'

export type Planted = readonly [defect: string, check: Check, operation: string, message: RegExp]

export const planted: readonly Planted[] = [
  // What a search by chance with 200 requests for an operation did not find.
  ['items of a list are not validated', 'invalid-request-accepted', 'POST /tickets', /body\/labels\/\d/],
  ['an empty body is taken for {}', 'invalid-request-accepted', 'PATCH /tickets/{ticketId}', /body is empty/],
  [
    'a parameter may be sent twice',
    'invalid-request-accepted',
    'GET /tickets',
    /query\/limit is given more than once/
  ],
  ['more than 40 levels crash', 'server-error', 'POST /tickets', /nest/],
  ['the largest int64 crashes', 'server-error', 'POST /tickets', /number/],
  ['the largest id crashes', 'server-error', 'POST /tickets', /id at the bounds/],
  ['one id in fifty crashes', 'server-error', 'GET /tickets/{ticketId}', /500 to a valid request/],
  ['a resource that nobody created crashes', 'server-error', 'DELETE /tickets/{ticketId}', /nobody created/],
  [
    'a text of more than 60 characters cuts the connection',
    'connection',
    'PUT /tickets/{ticketId}',
    /long text/
  ],
  // Further ones.
  ['null for a list crashes', 'server-error', 'POST /tickets', /body\/labels must be array/],
  ['a full list crashes', 'server-error', 'POST /tickets', /list/],
  ['an empty list crashes', 'server-error', 'PUT /tickets/{ticketId}', /list/],
  [
    'only the first item is validated',
    'invalid-request-accepted',
    'PUT /tickets/{ticketId}',
    /body\/assignees\/[1-9]/
  ],
  [
    'duplicates are taken',
    'invalid-request-accepted',
    'PUT /tickets/{ticketId}',
    /body\/labels must not have equal/
  ],
  [
    'a line break at the end is taken',
    'invalid-request-accepted',
    'POST /tickets',
    /body\/labels\/\d must match/
  ],
  ['only the shape of a date is checked', 'invalid-request-accepted', 'POST /tickets', /body\/due/],
  [
    'a multiple is not checked',
    'invalid-request-accepted',
    'POST /tickets',
    /body\/estimate must be a multiple/
  ],
  ['zero is refused', 'valid-request-refused', 'PUT /tickets/{ticketId}', /400 to a valid request/],
  ['false is refused', 'valid-request-refused', 'PUT /tickets/{ticketId}', /400 to a valid request/],
  [
    'a missing optional property crashes',
    'server-error',
    'PUT /tickets/{ticketId}',
    /500 to a valid request/
  ],
  [
    'an optional text may be of any length',
    'invalid-request-accepted',
    'PATCH /tickets/{ticketId}',
    /body\/note/
  ],
  ['U+0000 crashes', 'server-error', 'PATCH /tickets/{ticketId}', /Unicode/],
  ['a body where none is crashes', 'server-error', 'GET /tickets/{ticketId}', /body/],
  ['an unknown Accept crashes', 'server-error', 'GET /tickets/{ticketId}', /Accept/],
  ['an empty number is taken for none', 'invalid-request-accepted', 'GET /tickets', /query\/limit/],
  ['a text is decoded twice', 'server-error', 'GET /tickets', /Unicode/],
  ['a listed value is refused', 'valid-request-refused', 'GET /tickets', /400 to a valid request/],
  ['a media type of the answer crashes', 'server-error', 'GET /tickets', /Accept: text\/csv/],
  [
    'a second media type crashes',
    'server-error',
    'POST /tickets/{ticketId}/comments',
    /500 to a valid request/
  ],
  [
    'a bound inside a form is not checked',
    'invalid-request-accepted',
    'POST /tickets/{ticketId}/comments',
    /body\/stars/
  ],
  [
    'a text of more than 10,000 characters is refused',
    'valid-request-refused',
    'POST /tickets/{ticketId}/comments',
    /long text/
  ],
  ['nested replies crash', 'server-error', 'POST /tickets/{ticketId}/comments', /500 to a valid request/],
  [
    'a reply is not validated',
    'invalid-request-accepted',
    'POST /tickets/{ticketId}/comments',
    /body\/replies/
  ],
  ['a charset is refused', 'valid-request-refused', 'POST /login', /charset/],
  ['constructor is a user', 'server-error', 'POST /login', /500 to a valid request/],
  ['a second branch crashes', 'server-error', 'POST /search', /500 to a valid request/],
  ['a nested property may be missing', 'invalid-request-accepted', 'POST /search', /body\/range/],
  ['a nested property may be undeclared', 'invalid-request-accepted', 'POST /search', /body\/range/]
]
