/** Defects of the desk, planted before the search that has to find them; each with the finding that shows it. */
import type { Check } from '../../../src/compiler/conformance.ts'

export type Planted = readonly [defect: string, check: Check, operation: string, message: RegExp]

export const planted: readonly Planted[] = [
  // What a search by chance with 200 requests for an operation did not find.
  ['items of a list are not validated', 'invalid-request-accepted', 'POST /tickets', /body\/labels\/\d/],
  ['an empty body is taken for {}', 'invalid-request-accepted', 'PATCH /tickets/{ticketId}', /body is empty/],
  ['a parameter may be sent twice', 'invalid-request-accepted', 'GET /tickets', /query\/limit .*twice/],
  ['more than 40 levels crash', 'server-error', 'POST /tickets', /nest/],
  ['the largest int64 crashes', 'server-error', 'POST /tickets', /number/],
  ['one id in fifty crashes', 'server-error', 'GET /tickets/{ticketId}', /valid request$/],
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
  ['zero is refused', 'valid-request-refused', 'PUT /tickets/{ticketId}', /number/],
  ['false is refused', 'valid-request-refused', 'PUT /tickets/{ticketId}', /listed value/],
  ['a missing optional property crashes', 'server-error', 'PUT /tickets/{ticketId}', /required parts/],
  [
    'an optional text may be of any length',
    'invalid-request-accepted',
    'PATCH /tickets/{ticketId}',
    /body\/note/
  ],
  ['U+0000 crashes', 'server-error', 'PATCH /tickets/{ticketId}', /Unicode/],
  ['a body where none is crashes', 'server-error', 'GET /tickets/{ticketId}', /body/],
  ['an unknown Accept crashes', 'server-error', 'GET /tickets/{ticketId}', /Accept/],
  ['a number may be hexadecimal', 'invalid-request-accepted', 'GET /tickets', /query\/limit/],
  ['an empty number is taken for none', 'invalid-request-accepted', 'GET /tickets', /query\/limit/],
  ['a text is decoded twice', 'server-error', 'GET /tickets', /Unicode/],
  ['a listed value is refused', 'valid-request-refused', 'GET /tickets', /listed value/],
  ['a media type of the answer crashes', 'server-error', 'GET /tickets', /Accept: text\/csv/],
  ['a second media type crashes', 'server-error', 'POST /tickets/{ticketId}/comments', /urlencoded/],
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
  ['nested replies crash', 'server-error', 'POST /tickets/{ticketId}/comments', /nest/],
  [
    'a reply is not validated',
    'invalid-request-accepted',
    'POST /tickets/{ticketId}/comments',
    /body\/replies/
  ],
  ['a charset is refused', 'valid-request-refused', 'POST /login', /charset/],
  ['constructor is a user', 'server-error', 'POST /login', /Unicode/],
  ['a second branch crashes', 'server-error', 'POST /search', /valid request/],
  ['a nested property may be missing', 'invalid-request-accepted', 'POST /search', /body\/range/],
  ['a nested property may be undeclared', 'invalid-request-accepted', 'POST /search', /body\/range/]
]
