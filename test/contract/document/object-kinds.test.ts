/** The shape of an object decides its kind, whatever heading of `components` it stands under. */
import t from 'tap'
import { isMisplaced, kinds } from '../../../src/contract/document/object-kinds.ts'
import type { JsonObject } from '../../../src/contract/model/json.ts'

const content: JsonObject = { 'application/json': {} }

const rows: readonly (readonly [what: string, object: JsonObject, fits: readonly string[]])[] = [
  ['a schema', { type: 'string', description: 'd' }, ['schemas']],
  ['a parameter', { name: 'p', in: 'query', schema: {} }, ['parameters']],
  ['a header', { description: 'd', schema: {} }, ['headers']],
  ['a path item', { get: { responses: { 204: { description: 'd' } } } }, ['schemas', 'pathItems']],
  ['a response without content', { description: 'd' }, ['schemas', 'responses']],
  ['a response without a description', { headers: { 'X-A': {} } }, ['schemas', 'responses']],
  ['content alone', { content }, ['headers', 'requestBodies', 'responses']],
  ['a security scheme', { type: 'apiKey', name: 'k', in: 'header' }, ['parameters', 'securitySchemes']],
  ['nothing', {}, ['schemas']]
]

for (const [what, object, fits] of rows)
  t.test(`${what} fits ${fits.join(', ')}`, async (t) => {
    const found = Object.entries(kinds).flatMap(([section, kind]) => (kind.fits(object) ? [section] : []))
    t.strictSame(found, fits)
    for (const section of Object.keys(kinds))
      t.equal(isMisplaced(section, object), !fits.includes(section), section)
    t.notOk(isMisplaced('x-section', object), 'a section without a known shape holds anything')
  })
