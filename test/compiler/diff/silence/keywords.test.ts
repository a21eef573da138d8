/** No keyword of a schema changes at any place of a document without a line there, also where several change at once. */
import t from 'tap'
import { compared, withSchema } from '../pairs/documents.ts'
import { keywordPairs, readings, schemas } from './keywords.ts'
import { any, everyPlace, everywhere, hurting, placesWithin, silent, within } from './places.ts'

t.setTimeout(900_000)

const placesOf = (sender: string, isUnseen = false) =>
  everyPlace.filter((each) => each.sender === sender && !(isUnseen && each.isText)).map(({ place }) => place)

t.test(
  'what narrows breaks those who send, what widens those who read, at every place of a document',
  async (t) => {
    for (const { name, narrow, wide, isUnseenInTexts } of keywordPairs) {
      const narrowed = compared(everywhere(wide), everywhere(narrow))
      t.strictSame(silent(narrowed, hurting, placesOf('client', isUnseenInTexts)), [], `${name} narrowed`)
      t.strictSame(silent(narrowed, any, placesOf('server')), [], `${name} narrowed, read`)
      const widened = compared(everywhere(narrow), everywhere(wide))
      t.strictSame(silent(widened, hurting, placesOf('server', isUnseenInTexts)), [], `${name} widened`)
      t.strictSame(silent(widened, any, placesOf('client')), [], `${name} widened, sent`)
    }
  }
)

t.test('what changes the reading of a value has a line at every place of a document', async (t) => {
  const places = everyPlace.map(({ place }) => place)
  for (const [name, one, other] of readings) {
    t.strictSame(silent(compared(everywhere(one), everywhere(other)), any, places), [], name)
    t.strictSame(silent(compared(everywhere(other), everywhere(one)), any, places), [], `${name}, reversed`)
  }
})

t.test('each of several places in one schema has a line', async (t) => {
  const places = placesWithin.map((path) => `POST /things body${path}`)
  for (const { name, narrow, wide } of keywordPairs) {
    const document = (schema: unknown) => withSchema('request', within(schema), { components: { schemas } })
    const narrowed = compared(document(wide), document(narrow))
    t.strictSame(silent(narrowed, hurting, places), [], `${name} narrowed`)
    const widened = compared(document(narrow), document(wide))
    t.strictSame(silent(widened, any, places), [], `${name} widened`)
  }
})
