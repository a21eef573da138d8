/** The list of a change of an operation: each rule with a pair of contracts, and edits whose meaning is less obvious. */
import t from 'tap'
import { changeSentences } from '../../../src/tools/diff/diff.ts'
import { operationRules } from '../../../src/tools/diff/operations/rules.ts'
import { compared, documentOf, type Node, rowsOf, ruleLines, withOperation } from './rows.ts'

/** Each rule for everything except schemas, with the changes of the edit and those of the reverse edit. */
const rulePairs = rowsOf(`
path-removed
  { paths: { «'/a': { get: { responses: { 200: @ok } } }, →»'/b': { get: { responses: { 200: @ok } } } } }
  breaking path-removed; back: compatible operation-added
operation-removed
  { paths: { '/a': { get: { responses: { 200: @ok } }«, put: { responses: { 200: @ok } } →» } } }
  breaking operation-removed; back: compatible operation-added
operation-moved: { paths: { «'/a': → '/b':» { get: { responses: { 200: @ok }, operationId: a } } } }
  breaking operation-moved; back: breaking operation-moved
operation-removed-after-sunset
  { paths: {« '/a': { get: { responses: { 200: @ok }, deprecated: true, x-sunset: '2020-01-01' } } →»} }
  compatible operation-removed-after-sunset; back: compatible operation-added
operation-id-changed: { operationId: «a → b» }
  undecided operation-id-changed operationId; back: undecided operation-id-changed operationId
operation-deprecated: {«→ deprecated: true»}
  compatible operation-deprecated deprecated; back: compatible operation-undeprecated deprecated
strict-query-added: {«→ x-strict-query: true»}
  breaking strict-query-added x-strict-query; back: compatible strict-query-removed x-strict-query
sunset-added: {«→ x-sunset: '2030-01-01'»}
  compatible sunset-added x-sunset; back: compatible sunset-removed x-sunset
sunset-moved-earlier: { x-sunset: «'2030-01-01' → '2029-01-01'» }
  breaking sunset-moved-earlier x-sunset; back: compatible sunset-moved-later x-sunset
sunset-unreadable: { x-sunset: «'2030-01-01' → soon» }
  undecided sunset-unreadable x-sunset; back: compatible sunset-added x-sunset
required-parameter-added: {«→ parameters: [{ name: q, in: query, schema: @text, required: true }]»}
  breaking required-parameter-added query/q; back: undecided required-parameter-removed query/q
optional-parameter-added: {«→ parameters: [{ name: q, in: query, schema: @text }]»}
  compatible optional-parameter-added query/q; back: undecided optional-parameter-removed query/q
parameter-became-required: { parameters: [{ name: q, in: query, schema: @text«→ , required: true» }] }
  breaking parameter-became-required query/q; back: compatible parameter-became-optional query/q
parameter-style-changed
  { parameters: [{ name: q, in: query, schema: { type: array, items: @text }, «→ style: pipeDelimited,
    »explode: false }] }
  breaking parameter-style-changed query/q; back: breaking parameter-style-changed query/q
parameter-explode-changed
  { parameters: [{ name: q, in: query, schema: { type: array, items: @text }«→ , explode: false» }] }
  breaking parameter-explode-changed query/q; back: breaking parameter-explode-changed query/q
parameter-media-type-changed: { parameters: [{ name: q, in: query, «schema: @text → content: json(@text)» }] }
  breaking parameter-media-type-changed query/q; back: breaking parameter-media-type-changed query/q
parameter-reserved-allowed: { parameters: [{ name: q, in: query, schema: @text«→ , allowReserved: true» }] }
  compatible parameter-reserved-allowed query/q; back: breaking parameter-reserved-refused query/q
parameter-empty-allowed: { parameters: [{ name: q, in: query, schema: @text«→ , allowEmptyValue: true» }] }
  compatible parameter-empty-allowed query/q; back: breaking parameter-empty-refused query/q
parameter-deprecated: { parameters: [{ name: q, in: query, schema: @text«→ , deprecated: true» }] }
  compatible parameter-deprecated query/q; back: compatible parameter-undeprecated query/q
required-request-body-added: {«→ requestBody: { content: json(@text), required: true }»}
  breaking required-request-body-added body; back: breaking request-body-removed body
optional-request-body-added: {«→ requestBody: { content: json(@text) }»}
  compatible optional-request-body-added body; back: breaking request-body-removed body
request-body-became-required: { requestBody: { content: json(@text)«→ , required: true» } }
  breaking request-body-became-required body; back: compatible request-body-became-optional body
request-media-type-removed
  { requestBody: { content: { application/json: { schema: @text }«, text/csv: { schema: @text } →» } } }
  breaking request-media-type-removed body(text/csv)
  back: compatible request-media-type-added body(text/csv)
request-encoding-changed
  { requestBody: { content: { @form: { schema: { type: object }«→ , encoding: { a: { explode: false } }» } } } }
  breaking request-encoding-changed body(@form)/a; back: breaking request-encoding-changed body(@form)/a
request-encoding-kept
  { requestBody: { content: { @parts: { schema: { type: object, properties: { a: @text } },
    encoding: { a: { contentType: «image/png → 'image/jpeg, image/png'» } } } } } }
  compatible request-encoding-kept body(@parts)/a; back: breaking request-encoding-changed body(@parts)/a
response-encoding-changed
  { responses: { 200: { content: { @parts: { schema: { type: object, properties: { a: @text } },
    encoding: { a: { contentType: «image/png → 'image/*'» } } } } } } }
  breaking response-encoding-changed 200/body(@parts)/a
  back: compatible response-encoding-kept 200/body(@parts)/a
body-limit-lowered: { requestBody: { content: json(@text), x-body-limit: «200 → 100» } }
  breaking body-limit-lowered body; back: compatible body-limit-raised body
response-media-range-narrowed: { responses: { 200: { content: { «'image/*': → image/png:» {} } } } }
  compatible response-media-range-narrowed 200/body(image/*)
  back: undecided response-media-type-added 200/body(image/*)
parameter-texts-kept
  { parameters: [{ name: q, in: query, schema: «{ type: [integer, string], maximum: 5 } → @text» }] }
  compatible parameter-texts-kept query/q
  back: breaking parameter-texts-narrowed query/q; compatible request-type-widened query/q
parameter-texts-undecided
  { parameters: [{ name: q, in: query, schema: «@int, required: true → { type: string,
    not: { pattern: '^(?=98765)' } }» }] }
  undecided parameter-texts-undecided query/q; compatible parameter-became-optional query/q
  back: breaking parameter-became-required query/q; breaking request-type-changed query/q
response-header-texts-kept
  { responses: { 200: { headers: { X-Count: { schema: «@text → { type: [integer, string],
    maximum: 5 }» } } } } }
  compatible response-header-texts-kept 200/header/X-Count
  back: breaking response-header-texts-widened 200/header/X-Count; compatible response-type-narrowed 200/header/X-Count
response-header-texts-undecided
  { responses: { 200: { headers: { X-Count: { schema: «{ type: string, not: { pattern: '^(?=98765)' } } → @int,
    required: true» } } } } }
  undecided response-header-texts-undecided 200/header/X-Count; compatible response-header-became-required 200/header/X-Count
  back: breaking response-header-became-optional 200/header/X-Count; breaking response-type-changed 200/header/X-Count
response-status-added: {«→ responses: { 200: @ok, 404: @ok }»}
  undecided response-status-added 404; back: compatible response-status-removed 404
response-success-removed: { responses: { «200: @ok, →»404: @ok } }
  breaking response-success-removed 200; compatible response-status-removed 200
  back: undecided response-status-added 200
response-body-removed: {« responses: { 200: { content: json(@text) } } →»}
  breaking response-body-removed 200/body; back: undecided response-body-added 200/body
response-media-type-removed
  { responses: { 200: { content: { application/json: { schema: @text }«, text/csv: { schema: @text } →» } } } }
  breaking response-media-type-removed 200/body(text/csv)
  back: undecided response-media-type-added 200/body(text/csv)
required-response-header-removed
  {« responses: { 200: { headers: { X-Count: { schema: @int, required: true } } } } →»}
  breaking required-response-header-removed 200/header/X-Count
  back: compatible response-header-added 200/header/X-Count
optional-response-header-removed: {« responses: { 200: { headers: { X-Count: { schema: @int } } } } →»}
  undecided optional-response-header-removed 200/header/X-Count
  back: compatible response-header-added 200/header/X-Count
response-header-became-optional
  { responses: { 200: { headers: { X-Count: { schema: @int«, required: true →» } } } } }
  breaking response-header-became-optional 200/header/X-Count
  back: compatible response-header-became-required 200/header/X-Count
response-header-serialization-changed
  { responses: { 200: { headers: { X-Count: { schema: { type: object }«→ , explode: true» } } } } }
  breaking response-header-serialization-changed 200/header/X-Count
  back: breaking response-header-serialization-changed 200/header/X-Count
response-header-deprecated
  { responses: { 200: { headers: { X-Count: { schema: @int«→ , deprecated: true» } } } } }
  compatible response-header-deprecated 200/header/X-Count
  back: compatible response-header-undeprecated 200/header/X-Count
link-changed: { responses: { 200: { links: { next: { operationId: «a → b» } } } } }
  undecided link-changed 200/links/next; back: undecided link-changed 200/links/next
link-removed: {« responses: { 200: { links: { next: {} } } } →»}
  undecided link-removed 200/links/next; back: compatible link-added 200/links/next
security-added: { security: [«→ { bearer: [] }»], components: @schemes }
  breaking security-added security; back: compatible security-removed security
security-alternative-removed: { security: [{ bearer: [] }«, { key: [] } →»], components: @schemes }
  breaking security-alternative-removed security; back: compatible security-alternative-added security
security-scheme-added: { security: [{ bearer: []«→ , key: []» }], components: @schemes }
  breaking security-scheme-added security; back: compatible security-scheme-removed security
security-scope-added: { security: [{ auth: [read«→ , write»] }], components: @schemes }
  breaking security-scope-added security; back: compatible security-scope-removed security
security-scheme-changed
  { security: [{ a: [] }], components: { securitySchemes: { a: { type: http, scheme: «bearer → basic» } } } }
  breaking security-scheme-changed security; back: breaking security-scheme-changed security
oauth-flow-removed
  { security: [{ a: [] }], components: { securitySchemes: { a: { type: oauth2,
    flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} }«,
    password: { tokenUrl: 'https://a.example/p', scopes: {} } →» } } } } }
  breaking oauth-flow-removed securitySchemes/a/password
  back: compatible oauth-flow-added securitySchemes/a/password
oauth-url-changed
  { security: [{ a: [] }], components: { securitySchemes: { a: { type: oauth2,
    flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} },
    password: { tokenUrl: «'https://a.example/p' → 'https://b.example/'», scopes: {} } } } } } }
  undecided oauth-url-changed securitySchemes/a/password
  back: undecided oauth-url-changed securitySchemes/a/password
open-id-url-changed
  { security: [{ a: [] }], components: { securitySchemes: { a: { type: openIdConnect,
    openIdConnectUrl: «'https://a.example/' → 'https://b.example/'» } } } }
  undecided open-id-url-changed securitySchemes/a; back: undecided open-id-url-changed securitySchemes/a
server-path-changed: { servers: [{ url: «'/v1' → '/v2'» }] }
  breaking server-path-changed servers; back: breaking server-path-changed servers
server-removed: { servers: [{ url: 'https://a.example' }«, { url: 'https://b.example' } →»] }
  undecided server-removed servers; back: compatible server-added servers
server-variable-changed
  { servers: [{ url: 'https://{r}.example', variables: { r: { default: eu, enum: [eu«, us →»] } } }] }
  undecided server-variable-changed servers; back: undecided server-variable-changed servers
callback-removed: {« callbacks: { done: { @url: { post: { responses: { 200: @ok } } } } } →»}
  undecided callback-removed callbacks/done post {$request.query.url}
  back: compatible callback-added callbacks/done post {$request.query.url}
callback-part-lost
  { callbacks: { done: { @url: { post: { responses: { 200: @ok }«, parameters: [{ name: q,
    in: query, schema: @text, required: true }] →» } } } } }
  breaking callback-part-lost callbacks/done post {$request.query.url}/query/q
  back: compatible callback-part-gained callbacks/done post {$request.query.url}/query/q
callback-changed
  { callbacks: { done: { @url: { post: { responses: { 200: @ok«→ , 404: @ok» } } } } } }
  undecided callback-changed callbacks/done post {$request.query.url}/404
  back: undecided callback-changed callbacks/done post {$request.query.url}/404
webhook-removed: {« webhooks: { done: { post: { responses: { 200: @ok } } } } →»}
  undecided webhook-removed webhooks/done post; back: compatible webhook-added webhooks/done post
webhook-part-lost
  { webhooks: { done: { post: { responses: { 200: @ok }«, requestBody: { content: json(@text) } →» } } } }
  breaking webhook-part-lost webhooks/done post/body
  back: compatible webhook-part-gained webhooks/done post/body
webhook-changed: { webhooks: { done: { post: { responses: { 200: @ok«→ , 404: @ok» } } } } }
  undecided webhook-changed webhooks/done post/404; back: undecided webhook-changed webhooks/done post/404
`)

/** Other edits. */
const edits = rowsOf(`
a whole query is gone: {« parameters: [{ name: q, in: querystring, content: json(@text) }] →»}
  undecided optional-parameter-removed querystring/q
the name of a whole query is sent nowhere
  { parameters: [{ name: «q → other», in: querystring, content: json(@text) }] }
the value of a whole query: { parameters: [{ name: q, in: querystring, content: json(«@text → @int») }] }
  breaking request-type-changed querystring/q
the encoding of a field of a whole query
  { parameters: [{ name: q, in: querystring, content: { @form: { schema: { type: object,
    properties: { a: @list } }«→ , encoding: { a: { explode: false } }» } } }] }
  breaking request-encoding-changed querystring/q/a
a whole query without content: { parameters: [{ name: q, in: querystring, content: {} }] }
an encoding of a parameter that is no whole query has no meaning
  { parameters: [{ name: q, in: header, content: { @form: { schema: { type: object,
    properties: { a: @list } }«→ , encoding: { a: { explode: false } }» } } }] }
fields of forms are texts, unless they have a media type
  { requestBody: { content: {
    @form: { schema: { type: object, properties: { a: «@int → @text», b: «@int → @text» } } },
    @parts: { schema: { type: object, properties: { a: «@int → @text», b: «@int → @text» } },
      encoding: { b: { contentType: application/json } } } } } }
  breaking request-type-changed body(@parts)/b; compatible parameter-texts-kept body(@form)/a;
    compatible parameter-texts-kept body(@form)/b; compatible parameter-texts-kept body(@parts)/a
fields of forms that nothing names are texts
  { requestBody: { content: { @form: { schema: { type: object, additionalProperties: «@int → @text» } },
    @parts: { schema: { type: object, additionalProperties: «@text → @int» } } } } }
  breaking request-type-changed body(@parts)/*; compatible parameter-texts-kept body(@form)/*
lists in forms are texts, and so are parts of their media type
  { requestBody: { content: {
    @form: { schema: { type: object, properties: { a: { type: array, items: «@int → @text» } } } },
    @parts: { schema: { type: object, properties: { a: «@int → @text» } },
      encoding: { a: { contentType: 'Text/Plain; charset=utf-8' } } } } } }
  compatible parameter-texts-kept body(@form)/a; compatible parameter-texts-kept body(@parts)/a
lists that an encoding joins are texts with a delimiter
  { requestBody: { content: { @form: { encoding: { a: { explode: false } }, schema: { type: object,
    properties: { a: «{ type: array, items: { enum: [a, b] } } → { type: string, maxLength: 99 }» } } } } } }
  undecided parameter-texts-undecided body(@form)/a
bytes of a form are none of its texts
  { requestBody: { content: { @parts: { schema: { type: object,
    properties: { a: «@int → { type: string, format: binary }» } } } } } }
  breaking request-type-changed body(@parts)/a
an optional property with an encoding is new
  { requestBody: { content: { @parts: { schema: { type: object,
    allOf: [{ type: object, properties: { b: @text«→ , a: @text» } }] }«→ , encoding: @plain» } } } }
  compatible request-property-added body(@parts)/a
an object in a form that was JSON is written by its style
  { requestBody: { content: { @form: { schema: { type: object, properties: { a: { type: object } } }«→ ,
    encoding: { a: { style: form } }» } } } }
  breaking request-encoding-changed body(@form)/a
bytes, and parts of a tuple, whose encoding names a media type now
  { requestBody: { content: { @parts: { schema: { type: object, properties: {
    a: { type: string, format: binary }, b: { type: array, prefixItems: [@text, { type: object }] } } }«→ ,
    encoding: { a: { contentType: text/plain }, b: { contentType: text/plain } }» } } } }
  breaking request-encoding-changed body(@parts)/a; breaking request-encoding-changed body(@parts)/b
reserved characters in a field, of a request and of an answer
  { requestBody: { content: { @form: &fields { schema: { type: object, properties: { a: @text } }«→ ,
    encoding: { a: { allowReserved: true } }» } } }, responses: { 200: { content: { @form: *fields } } } }
  breaking response-encoding-changed 200/body(@form)/a; compatible request-encoding-kept body(@form)/a
a list in an answer is joined
  { responses: { 200: { content: { @form: { schema: { type: object, properties: { a: @list } }«→ ,
    encoding: { a: { explode: false } }» } } } } }
  breaking response-encoding-changed 200/body(@form)/a
parts by their position, and all others
  { requestBody: { content: { multipart/mixed: { prefixEncoding: [{ contentType: image/png },
    { contentType: «image/png → 'image/*'» }], itemEncoding: { contentType: «image/png → image/gif» } } } } }
  breaking request-encoding-changed body(multipart/mixed)/*;
    compatible request-encoding-kept body(multipart/mixed)/1
parts of a part, and their headers
  { requestBody: { content: { multipart/mixed: { itemEncoding: { contentType: image/png,
    prefixEncoding: [{«→ headers: { X-A: { required: true, schema: @text } }»}],
    encoding: { a: { contentType: «image/png → image/gif» } } } } } } }
  breaking request-encoding-changed body(multipart/mixed)/*/a;
    breaking required-parameter-added body(multipart/mixed)/*/0/header/X-A
items of a body that is no sequence of them here
  { requestBody: { content: { multipart/mixed: { itemSchema: { maximum: «9 → 5» } } } } }
  breaking request-maximum-lowered body(multipart/mixed)/*
a callback of an additional method
  { callbacks: {« done: { @url: { additionalOperations: { FETCH: { responses: { 200: @ok } } } } } →»} }
  undecided callback-removed callbacks/done FETCH {$request.query.url}
a status that default covered is compared with it
  { responses: { 200: @ok, «default: → 404: { content: json(@int) }, Default:» { content: json(@text) } } }
  breaking response-type-changed 404/body
a status that a range covers is not gone: { responses: { 200: @ok, «404 → '4xx'»: { content: json(@text) } } }
  undecided response-status-added 4XX
a range of successes becomes one of them: { responses: { «2XX → 200»: { content: json(@text) } } }
  compatible response-status-removed 2XX
a range of successes becomes one of them, beside a default response
  { responses: { «2XX → 200»: { content: json(@text) }, default: @ok } }
  compatible response-status-removed 2XX
an only response becomes an error: { responses: { «default → 404»: @ok } }
  breaking response-success-removed default; compatible response-status-removed default
an only response becomes a success: { responses: { «default → 200»: @ok } }
  compatible response-status-removed default
default beside others is none of the successes: { responses: { 302: @ok«, default: @ok →» } }
  compatible response-status-removed default
one required and one optional property are gone, from an open object that clients send
  { requestBody: { content: { application/json: { schema: { type: object«, properties: { a: @text, b: @text },
    required: [a] →» } } } } }
  undecided request-property-removed body/b; undecided request-required-property-removed body/a
a text that the service sends in a header is one of a list now
  { callbacks: { done: { @url: { post: {
    parameters: [{ name: X-A, in: header, schema: { type: string«→ , enum: [a]» } }] } } } } }
  compatible response-enum-value-removed callbacks/done post {$request.query.url}/header/X-A
extensions among the statuses are none: { responses: { 200: @ok«, x-a: 1 →» } }
a media type that a range covers is still accepted
  { requestBody: { content: { «text/csv → 'text/*'»: { schema: @text } } } }
  compatible request-media-type-added body(text/*)
the narrowest range counts
  { requestBody: { content: { «text/csv: → '*/*': { schema: @int }, 'text/*':» { schema: @text } } } }
  compatible request-media-type-added body(*/*); compatible request-media-type-added body(text/*)
a range that is replaced by one of its types
  { requestBody: { content: { «'text/*' → text/csv»: { schema: @text } } } }
  breaking request-media-type-removed body(text/*)
bytes that are bounded, and a schema of bytes that is none
  { requestBody: { content: { image/png: { schema: «{ type: object } → @text» },
    image/gif: {« schema: { type: string, contentMediaType: image/gif } →»} } } }
  breaking request-type-changed body(image/png)
a body limit that is set at the operation: { requestBody: { content: json(@text) }«→ , x-body-limit: 100» }
  breaking body-limit-lowered body
a body limit that is gone at the media type
  { requestBody: { content: { application/json: { schema: @text«, x-body-limit: 100 →» } } } }
  compatible body-limit-raised body
parameters of two media types: { parameters: [{ name: q, in: query, content: json(«@text → @int») }] }
  breaking request-type-changed query/q
a style of path parameters writes single values otherwise
  { parameters: [{ name: v, in: path, required: true, schema: @text«→ , style: label» }] }
  breaking parameter-style-changed path/v
explode of deepObject says nothing
  { parameters: [{ name: q, in: query, schema: { type: object }, style: deepObject, explode: «true → false» }] }
explode of an object in a header of a request
  { parameters: [{ name: X-A, in: header, schema: { type: object }«→ , explode: true» }] }
  breaking parameter-explode-changed header/X-A
a shared parameter is written at the operation
  { parameters: [«{ $ref: '#/components/parameters/Limit' } → { name: limit, in: query, schema:
    { type: integer, maximum: 9 } }»], components: { parameters: { Limit: { name: limit, in: query,
    schema: @int } } } }
  breaking request-maximum-lowered query/limit
a header that is written as JSON
  { responses: { 200: { headers: { X-Count: { «schema: @int → content: json(@int)» } } } } }
  breaking response-header-serialization-changed 200/header/X-Count
a header without a schema gets one: { responses: { 200: { headers: { X-Count: {«→ schema: @int»} } } } }
  compatible response-type-narrowed 200/header/X-Count
the media type of an answer is described elsewhere
  { responses: { 200: {« headers: { Content-Type: { schema: @text } } →»} } }
the body of a callback may only narrow, its answers may only widen
  { callbacks: { done: { @url: { post: { requestBody: { content: json({ maximum: «5 → 9» }) },
    responses: { 200: { content: json({ maximum: «5 → 9» }) } } } } } } }
  breaking response-maximum-raised callbacks/done post {$request.query.url}/body;
    compatible request-maximum-raised callbacks/done post {$request.query.url}/200/body
an API key moves
  { components: { securitySchemes: { key: { type: apiKey, in: «header → query», name: X-Key } } },
    security: [{ key: [] }] }
  breaking security-scheme-changed security
an API key is written in lower case
  { components: { securitySchemes: { key: { type: apiKey, in: header, name: «X-Key → x-key» } } },
    security: [{ key: [] }] }
an operation has servers of its own: {«→ servers: [{ url: 'https://a.example' }]»}
  undecided server-removed servers; compatible server-added servers
a server has a variable without values, and without a default
  { servers: [{ url: '/{a}', variables: { a: {«→ default: b»} } }] }
  undecided server-variable-changed servers
items may only widen in a request, and only narrow in an answer
  { requestBody: { content: { application/jsonl: { itemSchema: { maximum: «9 → 5» } } } },
    responses: { 200: { content: { application/jsonl: { itemSchema: { maximum: «5 → 9» } } } } } }
  breaking request-maximum-lowered body(application/jsonl)/*;
    breaking response-maximum-raised 200/body(application/jsonl)/*
  back: compatible request-maximum-raised body(application/jsonl)/*;
    compatible response-maximum-lowered 200/body(application/jsonl)/*
items get a schema, and lose it
  { requestBody: { content: { application/jsonl: {«→ itemSchema: @namedCat»} } },
    responses: { 200: { content: { application/jsonl: {« itemSchema: @int →»} } } } }
  breaking request-type-narrowed body(application/jsonl)/*;
    breaking request-required-property-added body(application/jsonl)/*/kind;
    breaking response-type-widened 200/body(application/jsonl)/*;
    compatible request-property-added body(application/jsonl)/*/name
an item is described by itemSchema, by the schema of one item, or by that of a list of them
  { requestBody: { content: { application/jsonl: { schema: «@int → { type: array }, itemSchema: @int» },
      application/json-seq: { schema: {«→ type: array»} } } },
    responses: { 200: { content: { «'application/x-ndjson; charset=utf-8': → application/x-ndjson:»
      { schema: «@list → @int» } } } } }
a text becomes items
  { responses: { 200: { content: { text/event-stream: { «schema: @text → itemSchema: { type: object,
    properties: { data: @text }, required: [data] }» } } } } }
  breaking response-type-changed 200/body(text/event-stream)
the JSON in the data of an event changes
  { responses: { 200: { content: { text/event-stream: { itemSchema: { type: object, required: [data],
    properties: { data: { type: string, contentMediaType: application/json,
    contentSchema: { maximum: «5 → 9» } } } } } } } } }
  breaking response-maximum-raised 200/body(text/event-stream)/*/data
the JSON in the data of an event gets a schema
  { responses: { 200: { content: { text/event-stream: { itemSchema: { type: object, required: [data],
    properties: { data: { type: string, contentMediaType: application/json«→ , contentSchema: @int» } } } } } } } }
  compatible response-type-narrowed 200/body(text/event-stream)/*/data
the schema of the data becomes that of an event, which has a name
  { responses: { 200: { content: { text/event-stream: { «schema: @int → itemSchema: { type: object,
    properties: { event: @text, data: { type: string, contentMediaType: application/json,
    contentSchema: @int } }, required: [data] }» } } } } }
  compatible response-property-added 200/body(text/event-stream)/*/event
`)

/** Edits without a line, in either direction. */
const refactorings = rowsOf(`
a path parameter is renamed
  { paths: { '/things/{«id = name»}': { get: { responses: {} },
    parameters: [{ name: «id = name», in: path, required: true, schema: @text }] } } }
a body of bytes is written as in 3.1
  { requestBody: { content: { application/octet-stream: { schema: {« type: string, format: binary =»} } } } }
a header is written in lower case: { parameters: [{ name: «X-Count = x-count», in: header, schema: @text }] }
a charset of UTF-8 is named
  { requestBody: { content: { «application/json: = 'Application/JSON; charset=utf-8':» { schema: @text } } } }
explode of a style that writes lists alike
  { parameters: [{ name: q, in: header, schema: @list, explode: «true = false» }] }
a style that writes single values alike
  { parameters: [{ name: q, in: query, schema: @text, style: «form = pipeDelimited», explode: false }] }
the media type of a part that is a text, of an object or null, of a list
  { requestBody: { content: { @parts: { schema: { type: object,
    properties: { a: @text, b: { type: [object, 'null'] }, c: @list } }«= , encoding: {
    a: { contentType: text/plain }, b: { contentType: application/json },
    c: { contentType: text/plain; charset=UTF-8 } }» } } } }
media types change places
  { requestBody: { content: { @parts: { schema: { type: object, properties: { a: @text } },
    encoding: { a: { contentType: «'image/png, image/gif' = 'image/gif,image/png'» } } } } } }
the media type of a field, its explode without a list, its style as a single value, that of a list by its name
  { requestBody: { content: { @form: { schema: { type: object,
    properties: { a: { type: [string, 'null'] }, b: @text, c: @text, d: @list } }«= , encoding: {
    a: { contentType: text/plain }, b: { explode: false }, c: { style: pipeDelimited },
    d: { style: form, explode: true } }» } } } }
parts by their position are like all others
  { requestBody: { content: { multipart/mixed: { itemSchema: @text,
    «prefixEncoding: [{ contentType: text/html }], = »itemEncoding: { contentType: text/html } } } } }
a security scheme is renamed
  { security: [{ «a = b»: [] }], components: { securitySchemes: { «a = b»: { type: http, scheme: Bearer } } } }
paths differ only by the names of parameters
  { document: { paths: { «'/{a}': { get: {} }, '/{b}': { get: { deprecated: true } } =
    '/{b}': { get: { deprecated: true } }, '/{a}': { get: {} }» } } }
no servers, and the one that is meant: { document: {«= servers: [{ url: / }]»} }
the title, the version, tags
  { document: { info: { title: «Things = Others», version: '«1 = 2»' }«= , tags: [{ name: a }]» } }
summaries: { summary: «a = b, description: c, tags: [d]» }
a summary beside a list with null
  { parameters: [{ name: state, in: query, schema: { type: [string, 'null'], enum: [open, null] } }]«= ,
    summary: Things» }
the security of the document is written at the operation
  { «document: { security: [{ a: [] }] } = security: [{ a: [] }]» }
`)

const linesOf = (old: unknown, now: unknown): string[] =>
  Object.entries(compared(documentOf(old), documentOf(now))).flatMap(([list, changes]) =>
    changes.map(({ rule, place }) => `${list} ${rule} ${place}`.trim())
  )

const seen = new Set<string>()

for (const { title, old, now, changes } of rulePairs)
  t.test(`${title}, and the reverse edit`, async (t) => {
    const [there, back] = [linesOf(old, now), linesOf(now, old)]
    t.strictSame(there, changes[''])
    t.strictSame(back, changes['back'])
    for (const line of [...there, ...back]) seen.add(line.split(' ').slice(0, 2).join(' '))
  })

t.test('every rule of operations has been reported above, in its list', async (t) => {
  const names = Object.entries(operationRules).map(([rule, list]) => `${list} ${rule}`)
  t.ok(names.length > 60)
  t.strictSame(
    names.filter((name) => !seen.has(name)),
    []
  )
})

for (const { title, old, now, changes } of edits)
  t.test(title, async (t) => {
    t.strictSame(linesOf(old, now), changes[''])
    if (changes['back'] !== undefined) t.strictSame(linesOf(now, old), changes['back'])
  })

for (const { title, old, now } of refactorings)
  t.test(title, async (t) => {
    t.strictSame(linesOf(old, now), [])
    t.strictSame(linesOf(now, old), [], 'reversed')
  })

/** Servers and path before and after, and the changes; `{1|2}` is a variable with these values. */
const urls = `
https://e.example/v1 /a/{x} → https://e.example /v1/a/{y}:
https://e.example/v1/ /a → https://e.example/v1 /a:
 /v1/a → v1 /a:
/v1 /a → /v2 /a: breaking server-path-changed
https://e.example/v1 /a → https://e.example/v2 /a: breaking server-path-changed
/v1 /a → /v1 /v1/a: breaking path-removed, compatible operation-added
/v1,/v2 /a → /v2 /a: undecided server-removed
/v1 /a → /v2,/v1 /a: compatible server-added
https://e.example/v1 /a → https://f.example /v1/a: undecided server-removed, compatible server-added
/v{1|2} /a → /v{2|3} /a: undecided server-variable-changed
/v{1|2} /a → /v{3} /a: breaking server-path-changed
/v{1} /a →  /v1/a: undecided server-removed, compatible server-added
`

t.test('URLs are compared, in which servers end with a base path', async (t) => {
  const server = (url: string) => {
    const [, values = ''] = /\{(.*)\}/.exec(url) ?? []
    const [first, ...others] = values.split('|')
    return {
      url: url.replace(`{${values}}`, '{v}'),
      variables: { v: { default: first, enum: [first, ...others] } }
    }
  }
  const document = (text: string) => {
    const [servers = '', path = ''] = text.split(' ')
    const urls = servers.split(',').filter((url) => url !== '')
    return {
      ...withOperation({}, { servers: urls.map((url) => (url.includes('{') ? server(url) : { url })) }),
      paths: { [path]: { get: { responses: { 200: { description: 'OK' } } } } }
    }
  }
  for (const row of urls.split('\n').filter((row) => row !== '')) {
    const [, old = '', now = '', changes = ''] = /^(.*) → (.*): ?(.*)$/.exec(row) ?? []
    t.equal(ruleLines(compared(document(old), document(now))).join(', '), changes, row)
  }
})

t.test('two operations of one URL are told apart', async (t) => {
  const get = { get: { responses: { 200: { description: 'OK' } } } }
  const document = (paths: Node, ...bases: string[]) =>
    withOperation({}, { servers: bases.map((url) => ({ url })), paths })
  const [old, now] = [document({ '/v1/a': get }, '/'), document({ '/v1/a': get, '/a': get }, '/', '/v1')]
  t.match(compared(old, now), {
    breaking: [],
    undecided: [],
    compatible: [{ message: 'servers: server /v1 added' }, { message: 'GET /a added' }]
  })
})

t.test('an operation that moves has its other changes, too', async (t) => {
  const named = (schema: Node) => ({
    get: { operationId: 'a', responses: {}, parameters: [{ name: 'q', in: 'query', schema }] }
  })
  const [old, now] = [{ '/a': named({ type: 'string' }) }, { '/b': named({ type: 'integer' }) }]
  t.match(compared(withOperation({}, { paths: old }), withOperation({}, { paths: now })).breaking, [
    { rule: 'operation-moved', message: 'GET /a is now GET /b' },
    { rule: 'request-type-changed', message: 'query/q: type now integer (was string)' }
  ])
})

t.test('a first contract has operations that are added, and no servers that are gone', async (t) => {
  const report = compared({}, withOperation({}, { servers: [{ url: '/v1' }] }))
  t.strictSame(ruleLines(report), ['compatible operation-added'])
})

t.test('changes name the operation by its old path, and the document by null', async (t) => {
  const document = (name: string, maxLength: number, ...urls: string[]) => {
    const parameters = [{ name, in: 'path', required: true, schema: { maxLength } }]
    const paths = { [`/things/{${name}}`]: { get: { parameters, responses: {} } } }
    return withOperation({}, { paths, servers: urls.map((url) => ({ url })) })
  }
  const old = document('id', 9, '/a', '/b')
  const operation = 'GET /things/{id}'
  const { breaking, undecided } = compared(old, document('name', 5, '/a'))
  t.match(breaking, [{ operation, place: 'path/id', message: 'path/id: maxLength now 5 (was 9)' }])
  t.match(undecided, [{ operation: null, rule: 'server-removed' }])
  t.match(compared(old, { ...old, paths: {} }).breaking, [
    { rule: 'path-removed', operation, message: `${operation} is gone` }
  ])
})

t.test('changes are sentences by their list', async (t) => {
  const document = (required: boolean, schema: Node) =>
    withOperation(
      { parameters: [{ name: 'q', in: 'query', schema: {}, required }] },
      { webhooks: { done: { post: { requestBody: { content: { 'application/json': { schema } } } } } } }
    )
  const [old, now] = [document(false, { type: 'integer' }), document(true, {})]
  const sentences = [
    'webhooks/done post/body: type now any (was integer)',
    'POST /things query/q: required now true'
  ]
  t.strictSame([...changeSentences(old as never, now as never, new Date())], [['breaking', sentences]])
})

t.test('a deprecated operation may be gone after its x-sunset, not before', async (t) => {
  const old = withOperation({ deprecated: true, 'x-sunset': '2026-06-01' })
  const lines = (day: string) => ruleLines(compared(old, withOperation({}, { paths: {} }), new Date(day)))
  t.strictSame(lines('2026-05-31'), ['breaking path-removed'])
  t.strictSame(lines('2026-06-01'), ['compatible operation-removed-after-sunset'])
})
