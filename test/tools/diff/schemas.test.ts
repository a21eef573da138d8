/** The list of a change of a schema when its meaning is less obvious, and edits that change nothing for a client. */
import t from 'tap'
import { compared, loaded, type Row, rowsOf, ruleLines, withSchema } from './rows.ts'

/** Edits without a line in requests and answers, in either direction. Those of 3.0 begin with a document of 3.0. */
const refactorings = rowsOf(`
an inline schema becomes a component: @cat = @Cat
a component is renamed: @Cat = @Feline
  Cat: @cat → none
  Feline: none → @cat
a recursive component is written as two: @Node = @A
  Node: { type: object, properties: { next: @Node, value: @text } } → none
  A: none → { type: object, properties: { next: @B, value: @text } }
  B: none → { type: object, properties: { next: @A, value: @text } }
allOf is merged: { allOf: [@cat, { type: object, properties: { name: @text } }] } = @namedCat
a union of types becomes a list of types: { anyOf: [@text, @int] } = { type: [integer, string] }
alternatives change places: { oneOf: [«@Cat, @Dog = @Dog, @Cat»] }
values of enum change places: { enum: [«a, { b: [1, 2] } = { b: [1, 2] }, a»] }
enum of one value becomes const: { enum: [a] } = { const: a }
alternatives that have every type change places: { oneOf: [«@A, @B = @B, @A»] }
  A: { required: [a] }
  B: { properties: { b: @text } }
enum becomes a union of constants: { enum: [a, b] } = { oneOf: [{ const: b }, { const: a }] }
true and false are listed: { type: boolean } = { enum: [true, false] }
bounds of integers are written otherwise
  { type: integer, «exclusiveMinimum: 0, maximum: 9.5 = minimum: 1, exclusiveMaximum: 10» }
an integer is a number that has the step 1
  { type: «number, multipleOf: 1, exclusiveMinimum: 0 = integer, minimum: 1» }
bounds lie between two multiples of a step
  { type: «number, multipleOf: 2, exclusiveMinimum: -4, maximum: 9 = integer, multipleOf: 2, minimum: -2,
    exclusiveMaximum: 10» }
several steps are one: { type: integer, «allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] = multipleOf: 12» }
the numbers of a range are listed
  { type: integer, minimum: 1, maximum: 9, allOf: [{ multipleOf: 3 }, { multipleOf: 1.5 }] }
  = { anyOf: [{ enum: [3, 6] }, { const: 9 }] }
a range has one number: { type: «number, minimum: 5, maximum: = integer, const:» 5 }
lengths of listed texts are bounded: { enum: [ab, c]«= , minLength: 1, maxLength: 2» }
lengths that a format has are bounded
  { type: object, properties: { day: { type: string, format: date«= , minLength: 5, maxLength: 10» },
    at: { type: string, format: date-time«= , minLength: 20» } } }
a property is required by a part, and by all
  { allOf: [{ type: object, properties: { a: @text } }, { required: [a] }]«= , required: [a]» }
a property is required by one that is required
  { type: object, properties: { a: @text, b: @text, c: @text }, required: «[a],
    dependentRequired: { a: [b], b: [c] } = [a, b, c]» }
other properties that a property requires are named at once
  { type: object, dependentRequired: { a: [b«= , c»], b: [c] } }
a list that contains something is not empty: { type: array, contains: @text, minContains: 2«= , minItems: 2» }
a list of different items has as many as there are
  { type: array, items: { enum: [a, b] }, uniqueItems: true«= , maxItems: 2» }
an excluded value is out of the bounds: { type: integer, minimum: 1«= , not: { enum: [0, -1] }» }
bounds that follow from others are added
  { type: object, properties: { a: @text }, required: [a]«= , minProperties: 1» }
a format that follows from bounds is added: { type: integer, «= format: int32, »minimum: 0, maximum: 9 }
texts for readers change
  @text = { type: string, title: Name, description: A name, examples: [a], $comment: x }
additional properties are of a component that has any value: { type: object«= , additionalProperties: @Any» }
  Any: { allOf: [{ description: Any value, anyKeyword: 1 }] }
alternatives that refuse what they require are written otherwise: { oneOf: [@Cat, @Dog] }
  Cat: { allOf: [«@cat, @Closed = @Closed, @cat»] }
  Dog: { allOf: [@dog, @Closed] }
  Closed: { type: object, properties: { name: @text }, additionalProperties: false }
additional properties are allowed, as they are anyway
  { type: object, properties: { a: @text }«= , additionalProperties: {}» }
additional properties are written as a pattern
  { type: object, «additionalProperties: @text = patternProperties: { '': @text }» }
unevaluatedProperties becomes additionalProperties
  { «allOf: [{ type: object, properties: { a: @text } }, { type: object, properties: { b: @text } }],
    unevaluatedProperties: = type: object, properties: { a: @text, b: @text }, additionalProperties:» false }
unevaluatedItems becomes items
  { type: array, prefixItems: [@text], «unevaluatedItems: false = items: false, maxItems: 1» }
dependencies of an earlier draft are written as today
  { type: object, «dependencies: { a: [b], c: @cat } = dependentRequired: { a: [b] },
    dependentSchemas: { c: @cat }» }
const beside enum: { const: a«, enum: [a, b] =» }
a reference has a summary: { $ref: '#/components/schemas/Cat', summary: A cat } = @cat
a reference leads nowhere: @Nowhere = {}
a property that is refused, and one that is not declared: { type: object«, properties: { a: false } =» }
3.0, nullable: { type: «string, nullable: true = [string, 'null']» }
3.0, nullable enum: { «type: string, nullable: true, =»enum: [a, null] }
3.0, nullable reference: { nullable: true, allOf: [@Cat] } = { oneOf: [{ type: 'null' }, @Cat] }
3.0, siblings of a reference: { $ref: '#/components/schemas/Cat', maxProperties: 1 } = @Cat
3.0, exclusive bounds
  { type: number, «minimum: 0, exclusiveMinimum: true, maximum: 9,
    exclusiveMaximum: false = exclusiveMinimum: 0, maximum: 9» }
3.0, bytes in base64: { type: string, «format: byte = contentEncoding: base64» }
3.0, bytes: { type: string, «format: binary = contentMediaType: application/octet-stream» }
a format for input fields: { type: string, format: password } = @text
`)

/** Edits with the changes of a request, and those of an answer where they are not the opposite. */
const edits = rowsOf(`
a list among the values is gone: { enum: [[1], a«, [2] →»] }
  breaking body: enum: - [2]
an object is split by its kind
  { type: object, properties: { kind: { enum: [cat, dog] } }, required: [kind] } → { oneOf: [@cat, @dog] }
  undecided body: alternative object is gone; answer: compatible body: alternative object is gone
a member of an alternative changes: { oneOf: [«@Cat, @Dog → @Dog, @Cat»] }
  Cat: @namedCat → { type: object, properties: { kind: { const: cat }, name: { type: string, maxLength: 3 } },
    required: [kind] }
  breaking body/name: maxLength now 3 (was none)
an alternative of which all properties are optional is another one: { oneOf: [@Cat«, @Dog →»] }
  Cat: { type: object, properties: { meows: @text } }
  Dog: { type: object, properties: { barks: @text } }
  breaking body: alternative Dog is gone
  answer: undecided body: may now be a value of several alternatives; compatible body: alternative Dog is gone
an optional property of an alternative is new
  { anyOf: [{ type: object, properties: { a: @text«→ , c: @text» } }, { type: object,
    properties: { b: @text }, required: [b] }] }
  compatible body/c: added; answer: compatible body/c: added
a value of two alternatives of oneOf is none of it: { oneOf: [@int, «→ @number, »@text] }
  breaking body: no longer accepts a value of several alternatives; compatible body: alternative number added
one type among others is gone, null is another matter: { type: [string, integer«, 'null' →»] }
  breaking body: may not be null
nothing is valid any more: {} → false
  breaking body: type now nothing (was any)
a schema of additional properties applies to a new property
  { type: object, «→ properties: { a: @text }, »additionalProperties: @int }
  breaking body/a: type now string (was integer); answer: breaking body/a: type now string (was integer)
a property whose name a pattern matches
  { type: object, «patternProperties: { '^x-': @text } → properties: { x-a: @text }»,
    additionalProperties: false }
  breaking body/~^x-: is gone, and no others are allowed
patterns of names in an open object: { type: object«→ , patternProperties: { '^x-': @text }» }
  compatible body/~^x-: added; answer: compatible body/~^x-: added
a tuple grows: { type: array, prefixItems: [@text«→ , @text»], items: @int }
  breaking body/1: type now string (was integer); answer: breaking body/1: type now string (was integer)
items of a list that is empty: { type: array, items: «@text → @int», maxItems: 0 }
int64 in place of int32: { type: integer, format: «int32 → int64» }
  compatible body: format now int64 (was int32)
a format of numbers that nothing is known of: @number → { type: number, format: float }
  undecided body: format now float (was none); answer: compatible body: format now float (was none)
a format of texts that nothing is known of: @text → { type: string, format: isbn }
  undecided body: format now isbn (was none); answer: compatible body: format now isbn (was none)
another format that nothing is known of: { type: string, format: «isbn → ean» }
  undecided body: format now ean (was isbn)
a format of listed texts that nothing is known of: { enum: [a, b]«→ , format: isbn» }
  undecided body: format now isbn (was none); answer: compatible body: format now isbn (was none)
a format in place of listed texts, one of them gone: { type: string, enum: [«a, →»b]«→ , format: isbn» }
  breaking body: enum: - a; undecided body: format now isbn (was none)
  answer: compatible body: enum: - a; compatible body: format now isbn (was none)
listed texts of a format, which stays, that nothing is known of
  { type: string, enum: [a«→ , b»], format: isbn }
  compatible body: enum: + b
listed texts in place of a format that nothing is known of: { type: string, «format: isbn → enum: [a]» }
  breaking body: enum now ["a"] (was any); compatible body: format now none (was isbn)
  answer: undecided body: format now none (was isbn); compatible body: enum now ["a"] (was any)
a format of listed texts that all have it: { type: string, enum: ['2020-01-01']«→ , format: date» }
a format that is part of another: { type: string, format: «uri → uri-reference» }
  compatible body: format now uri-reference (was uri)
a pattern of texts that have a format: { type: string, «→ pattern: '^[0-9a-f-]{36}$', »format: uuid }
  undecided body: pattern now ^[0-9a-f-]{36}$ (was none)
  answer: compatible body: pattern now ^[0-9a-f-]{36}$ (was none)
a bound that some multiples of a step do not keep: { type: integer, minimum: «1 → 3», multipleOf: 2 }
  breaking body: minimum now 3 (was 1)
two integers that are one as doubles
  { type: integer, format: int64, minimum: 9007199254740992, maximum: 9007199254740993«→ , multipleOf: 2» }
  breaking body: multipleOf now 2 (was none)
an integer that is no double is another one
  { type: integer, format: int64, «minimum: &odd 9007199254740993, maximum: *odd → const: 9007199254740992» }
  breaking body: enum: - 9007199254740993; compatible body: enum: + 9007199254740992
numbers of a range that are not all listed: { type: integer, minimum: 1, maximum: 3 } → { enum: [1, 3] }
  breaking body: enum: - 2
a length that texts of a format do not have: { type: string, format: uuid«→ , maxLength: 32» }
  breaking body: maxLength now 32 (was 36)
lengths of texts that a pattern allows: { type: string, pattern: '^[a-z]*$'«→ , minLength: 1, maxLength: 40» }
  breaking body: minLength now 1 (was 0); breaking body: maxLength now 40 (was none)
an exclusive bound: { type: number, «minimum: → exclusiveMinimum:» 0 }
  breaking body: minimum now 0 (exclusive) (was 0)
a required property is no longer read-only
  { type: object, properties: { id: «{ type: integer, readOnly: true } → @int» }, required: [id] }
  breaking body/id: added, required; answer:
a read-only property is new: { type: object«→ , properties: { id: { type: integer, readOnly: true } }» }
  answer: compatible body/id: added
a read-only property changes
  { type: object, properties: { id: { type: «integer → string», readOnly: true } }, required: [id] }
  answer: breaking body/id: type now string (was integer)
a pattern of properties in a closed object matches a declared one
  { type: object, «→ properties: { x-a: @text }, »patternProperties: { '^x-': @text },
    additionalProperties: false }
the same condition has another consequence
  { if: { minimum: 5 }, then: { maximum: «9 → 10» }, else: { minimum: 0 } }
  undecided body: if changed; answer: undecided body: if changed
conditions of objects are tried with the properties that they name
  { type: object, properties: { a: @int }«→ , if: @cat, then: true, else: { required: [a] }» }
  breaking body: if added
a list contains at most some: { type: array, contains: «@int, maxContains: 3 → @number, minContains: 0» }
  compatible body: contains changed
what a property demands of its object
  { type: object, dependentSchemas: { a: { minProperties: «2 → 1» }«, b: { minProperties: 2 } →» } }
  undecided body: dependentSchemas changed; answer: undecided body: dependentSchemas changed
a property that cannot be there requires another
  { type: object, properties: { a: false }«→ , dependentRequired: { a: [b] }» }
an alternative leaves open what another declares
  { anyOf: [«{ type: object, required: [a], properties: { a: @text } }, { type: object, required: [b],
    properties: { b: @text } } → { type: object, required: [a] }, { type: object, required: [b]},
    { type: string }»] }
  compatible body: type now string or object (was object); compatible body/a: type now any (was string); compatible body/b: type now any (was string)
a union that is too large is not expanded
  { allOf: [&some { type: string, anyOf: [{}, { minLength: 1 }, { minLength: 2 }, { minLength: 3 },
    { minLength: 4 }, { minLength: 5 }, { minLength: 6 }«→ , { minLength: 7 }»] }, *some, *some] }
  undecided body: alternative string is gone; answer: undecided body: alternative string added
long values are shortened
  { enum: [«xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx → 'y'»] }
  breaking body: enum: - xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…; compatible body: enum: + y
one listed value takes the place of another: { enum: [b, «a → c»] }
  breaking body: enum: - a; compatible body: enum: + c
names of schemas that a discriminator leads to
  { oneOf: [@Cat, @Dog], discriminator: { propertyName: kind«,
    mapping: { c: '#/components/schemas/Cat' } →» } }
  breaking body: discriminator: - c; compatible body: discriminator: + Cat
names of schemas that a discriminator beside null leads to
  { anyOf: [{ oneOf: [@Cat, @Dog], discriminator: { propertyName: kind«,
    mapping: { c: '#/components/schemas/Cat' } →» } }, { type: 'null' }] }
  breaking body: discriminator: - c; compatible body: discriminator: + Cat
a mapping that gives the name of a schema instead of a reference
  { oneOf: [@Cat, @Dog], discriminator: { propertyName: kind, mapping: { c: «Cat → '#/components/schemas/Cat',
    d: Dog» } } }
  breaking body: discriminator: - Dog; compatible body: discriminator: + d
what a required property requires by a condition is required at once
  { type: object, properties: { a: @text, b: @text, c: @text }, required: «[a], if: { required: [a] },
    then: { required: [b] }, dependentSchemas: { b: { required: [c] } } → [a, b, c]» }
  compatible body: if is gone; compatible body: dependentSchemas is gone
  answer: undecided body: if is gone; undecided body: dependentSchemas is gone
a branch becomes a composition, so that the discriminator has no effect any more
  { oneOf: [«@Cat → { allOf: [@Cat, { type: object }] }», @Dog], discriminator: { propertyName: kind } }
  undecided body: discriminator now without effect (was selecting)
  answer: undecided body: discriminator now without effect (was selecting)
what another property now requires is required, but no part of a request
  { type: object, properties: { a: @text, id: { type: string, readOnly: true } }, required: [id]«→ ,
    dependentRequired: { a: [id] }» }
  breaking body/id: now required where a is present; answer:
a list contains what all of its items are: { type: array, items: @int, minItems: 1«→ , contains: @int» }
  undecided body: contains added; answer: compatible body: contains added
a value selects another schema that is not there
  { oneOf: [@namedCat], discriminator: { propertyName: kind, mapping: { cat: «x → 'y'» } } }
a list contains none at least: { type: array«→ , contains: @int, minContains: 0» }
a text that is excluded is none of the samples: @text → { type: string, not: { const: x-ray } }
  breaking body: not added
values that are excluded have another type, or are none of those listed
  { enum: [a, b, 1]«→ , not: { enum: [c, true] }» }
an alternative without a partner leaves open what another declares
  { anyOf: [{ type: object«, properties: { a: @text } →» }, { type: object, properties: { b: @text },
    required: [b] }«, { type: object, properties: { c: @text }, required: [c] } →»] }
  compatible body: alternative object added
alternatives whose tag messages do not have are told apart by the others alone
  { oneOf: [@A, @B], discriminator: { propertyName: tag } }
  A: { type: object, properties: { tag: { type: string, readOnly: true }, a: @text }«, required: [tag, a] →» }
  B: { type: object, properties: { tag: { type: string, readOnly: true }, b: @text }, required: [tag, b] }
  undecided body: may refuse a value of several alternatives; compatible body/a: now optional (was required)
  answer: breaking body/tag: now optional (was required); breaking body/a: now optional (was required);
    compatible body: may refuse a value of several alternatives
alternatives whose tag may be missing are told apart by the others
  { oneOf: [@A, @B], discriminator: { propertyName: tag } }
  A: { type: object, properties: { tag: @text, a: @text }«, required: [a] →» }
  B: { type: object, properties: { tag: @text, b: @text }, required: [b] }
  undecided body: may refuse a value of several alternatives; compatible body/a: now optional (was required)
  answer: breaking body/a: now optional (was required);
    compatible body: may refuse a value of several alternatives
a listed value of two alternatives of oneOf is none of it
  { enum: [1, a] } → { oneOf: [@int, @number, @text] }
  breaking body: enum: - 1; compatible body: alternative integer added;
    compatible body: alternative number added; compatible body: enum now any (was ["a"])
a recursive schema changes in two places: @Node
  Node: { type: object, properties: { next: @Node, list: { type: array, items: @Leaf } } }
  Leaf: { type: object, properties: { node: @Node, size: { maximum: «9 → 5» } } }
  breaking body/list/*/size: maximum now 5 (was 9)
`)

type Role = 'request' | 'response'

const components = rowsOf('Animals: {}\n  Cat: @cat\n  Dog: @dog')[0]?.schemas[0]

const documentsOf = (role: Role, { old, now, schemas }: Row) =>
  [
    withSchema(role, old, { ...components, ...schemas[0] }),
    withSchema(role, now, { ...components, ...schemas[1] })
  ] as const

for (const row of refactorings)
  t.test(row.title, async (t) => {
    for (const role of ['request', 'response'] as const) {
      const [old, now] = documentsOf(role, row)
      const before = row.title.startsWith('3.0') ? await loaded({ ...old, openapi: '3.0.3' }) : old
      t.strictSame(ruleLines(compared(before, now)), [], role)
      t.strictSame(ruleLines(compared(now, before)), [], `${role}, reversed`)
    }
  })

const messages = (role: Role, row: Row): string[] =>
  Object.entries(compared(...documentsOf(role, row))).flatMap(([list, changes]) =>
    changes.map(({ message }) => `${list} ${message.replace(/^200\//, '')}`)
  )

const lists = ['breaking', 'undecided', 'compatible']
const rank = (change: string): number => lists.indexOf(change.split(' ')[0] ?? '')

/** Returns the changes of an answer, where what breaks a request is compatible, and the reverse. */
const opposite = (changes: readonly string[]): string[] =>
  changes
    .map((change) => change.replace(/^\w+/, lists.at(2 - rank(change)) ?? ''))
    .sort((a, b) => rank(a) - rank(b))

for (const row of edits)
  t.test(row.title, async (t) => {
    const { '': request = [], answer = opposite(request) } = row.changes
    t.strictSame(messages('request', row), request)
    t.strictSame(messages('response', row), answer)
  })

t.test('a schema that is shared is reported at each of its places', async (t) => {
  const name = { $ref: '#/components/schemas/Name' }
  const body = { type: 'object', properties: { first: name, last: name } }
  const [old, now] = [{}, { maxLength: 9 }].map((more) =>
    withSchema('request', body, { Name: { type: 'string', ...more } })
  )
  t.match(compared(old ?? {}, now ?? {}).breaking, [
    { operation: 'POST /things', place: 'body/first' },
    { operation: 'POST /things', place: 'body/last' }
  ])
})
