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

/** Pairs of schemas of one type whose keywords do not depend on others. */
const independent = keywordPairs.filter(({ name, narrow, wide }) => {
  const types = new Set([narrow, wide].map((schema) => Object(schema).type))
  return (
    types.size === 1 &&
    !types.has(undefined) &&
    !/unevaluated|closed|after|enum|const|dependencies/.test(name)
  )
})

const keysIn = (schemas: readonly unknown[]) =>
  new Set(schemas.flatMap((schema) => Object.keys(Object(schema))))

t.test('two keywords of one schema have a line each', async (t) => {
  const messages = (from: unknown, to: unknown) => {
    const { breaking, undecided } = compared(withSchema('request', from), withSchema('request', to))
    return new Set(
      [...breaking, ...undecided].map(({ message }) =>
        message.replace(/(no longer accepts|may refuse) .*/, 'overlap')
      )
    )
  }
  let count = 0
  for (const [index, one] of independent.entries())
    for (const other of independent.slice(index + 1)) {
      const common = keysIn([one.narrow, one.wide]).intersection(keysIn([other.narrow, other.wide]))
      if (Object(one.wide).type !== Object(other.wide).type || common.size > 1) continue
      count++
      const wide = { ...Object(one.wide), ...Object(other.wide) }
      const both = messages(wide, { ...Object(one.narrow), ...Object(other.narrow) })
      const alone = messages(one.wide, one.narrow).union(messages(other.wide, other.narrow))
      t.strictSame([...alone.difference(both)], [], `${one.name} and ${other.name}`)
    }
  t.ok(count > 100, String(count))
})
