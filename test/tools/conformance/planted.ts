/** Defects of desk and depot, planted before the search that has to find them; each with the finding that shows it. */
import type { Check } from '../../../src/tools/conformance/conformance.ts'

export type Planted = readonly [defect: string, check: Check, operation: string, message: RegExp]

export const plantedInDesk: readonly Planted[] = [
  // What a search by chance with 200 requests for an operation did not find.
  ['an empty body is taken for {}', 'invalid-request-accepted', 'PATCH /tickets/{ticketId}', /body is empty/],
  [
    'a parameter may be sent twice',
    'invalid-request-accepted',
    'GET /tickets',
    /query\/limit is given more than once/
  ],
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
    'a line break at the end is taken',
    'invalid-request-accepted',
    'POST /tickets',
    /body\/labels\/\d must match/
  ],
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
  ['a nested property may be missing', 'invalid-request-accepted', 'POST /search', /body\/range/]
]

export const plantedInDepot: readonly Planted[] = [
  // Found as they were planted.
  [
    'a line may have undeclared properties',
    'invalid-request-accepted',
    'POST /orders',
    /body\/lines\/\d\/notDeclared is not allowed/
  ],
  [
    'a list may be longer than its bound',
    'invalid-request-accepted',
    'POST /orders',
    /body\/lines must have at most 20 items/
  ],
  [
    'codes of the third payment are not checked',
    'invalid-request-accepted',
    'POST /orders',
    /body\/payment\/codes\/\d must be string/
  ],
  [
    'values of a map are not checked',
    'invalid-request-accepted',
    'POST /orders',
    /body\/weights\/\w+ must be number/
  ],
  [
    'what depends on a property may be missing',
    'invalid-request-accepted',
    'POST /orders',
    /body\/gift is required when giftText is present/
  ],
  [
    'a change of nothing is taken',
    'invalid-request-accepted',
    'PATCH /orders/{orderId}',
    /body must have at least 1 property/
  ],
  [
    'a date may have 31 days in each month',
    'invalid-request-accepted',
    'POST /orders',
    /body\/due must be a valid date/
  ],
  [
    'a pattern is not anchored',
    'invalid-request-accepted',
    'POST /orders',
    /body\/lines\/\d\/sku must match pattern/
  ],
  [
    'an unknown kind of payment crashes',
    'server-error',
    'POST /orders',
    /body\/payment\/kind must be one of/
  ],
  ['a payment without kind crashes', 'server-error', 'POST /orders', /body\/payment\/kind is required/],
  ['due that is null crashes', 'server-error', 'POST /orders', /with null/],
  [
    'a required header may be missing',
    'invalid-request-accepted',
    'GET /orders',
    /headers\/x-tenant is required/
  ],
  [
    'a bound of a header is not checked',
    'invalid-request-accepted',
    'GET /orders',
    /headers\/x-depth must be >= 0/
  ],
  [
    'only the first id of a list is checked',
    'invalid-request-accepted',
    'GET /orders',
    /query\/ids\/\d must be a valid uuid/
  ],
  [
    'a list in a query may have duplicates',
    'invalid-request-accepted',
    'GET /orders',
    /query\/sort must not have equal items/
  ],
  [
    'a bound in deepObject is not checked',
    'invalid-request-accepted',
    'GET /orders',
    /query\/filter\/min must be >= 1/
  ],
  ['a cookie in French crashes', 'server-error', 'GET /orders', /500 to a valid request/],
  ['both properties of a filter crash', 'server-error', 'GET /orders', /500 to a valid request/],
  [
    'an undeclared property in deepObject crashes',
    'server-error',
    'GET /orders',
    /query\/filter\/notDeclared is not allowed/
  ],
  [
    'an order that nobody created is empty',
    'response-body',
    'GET /orders/{orderId}',
    /200: body\/id is required/
  ],
  ['two changes at once crash', 'server-error', 'PATCH /orders/{orderId}', /500 to a valid request/],
  ['an empty file crashes', 'server-error', 'POST /orders/{orderId}/files', /with unusual Unicode/],
  [
    'a part that is required may be missing',
    'invalid-request-accepted',
    'POST /orders/{orderId}/files',
    /body\/caption is required/
  ],
  [
    'texts of a form are cut at 80 bytes',
    'valid-request-refused',
    'POST /orders/{orderId}/files',
    /with unusual Unicode/
  ],
  ['two tags crash', 'server-error', 'POST /orders/{orderId}/files', /500 to a valid request/],
  ['a text is measured in UTF-16', 'valid-request-refused', 'PUT /notes/{name}', /with unusual Unicode/],
  ['a name is decoded twice', 'server-error', 'PUT /notes/{name}', /for a resource that nobody created/],
  [
    'a name that an object has crashes',
    'server-error',
    'PUT /notes/{name}',
    /for a resource that nobody created/
  ],
  [
    'three numbers are taken for four',
    'invalid-request-accepted',
    'GET /areas/{box}',
    /params\/box must have at least 4 items/
  ],
  // Found after a change of the search.
  ['a body that is a list crashes', 'server-error', 'POST /orders', /body must be object/],
  [
    'an email with a plus is refused',
    'valid-request-refused',
    'POST /orders',
    /with another form of a format/
  ],
  ['an empty key of a map crashes', 'server-error', 'POST /orders', /with undeclared properties/],
  ['null in a nested list crashes', 'server-error', 'POST /orders', /with null/],
  ['a cookie is not checked', 'invalid-request-accepted', 'GET /orders', /cookies\/lang must be one of/],
  ['a date with an offset crashes', 'server-error', 'GET /orders', /with another form of a format/],
  ['a list of three in a query crashes', 'server-error', 'GET /orders', /with full lists/],
  [
    'JSON in a query that is malformed crashes',
    'server-error',
    'GET /orders',
    /query\/where is not valid JSON/
  ],
  [
    'an id in capitals crashes',
    'server-error',
    'POST /orders/{orderId}/files',
    /for a resource that nobody created/
  ],
  [
    'a form without boundary crashes',
    'server-error',
    'POST /orders/{orderId}/files',
    /headers\/content-type has no boundary/
  ],
  [
    'a second file is taken',
    'invalid-request-accepted',
    'POST /orders/{orderId}/files',
    /body\/file is sent twice/
  ],
  [
    'a file may be of any size',
    'invalid-request-accepted',
    'POST /orders/{orderId}/files',
    /body\/file must have at most 5000 bytes/
  ],
  [
    'a part of JSON is not checked',
    'invalid-request-accepted',
    'POST /orders/{orderId}/files',
    /body\/place must be object/
  ],
  [
    'an undeclared part is taken',
    'invalid-request-accepted',
    'POST /orders/{orderId}/files',
    /body\/notDeclared is not allowed/
  ],
  [
    'the last number of a path is not checked',
    'invalid-request-accepted',
    'GET /areas/{box}',
    /params\/box\/3 must be >= -180/
  ],
  ['a bound itself is refused', 'valid-request-refused', 'GET /areas/{box}', /400 to a valid request/]
]
