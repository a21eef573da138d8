/** Judges changes of a place that is written as text by its texts: `5` is a number and a word. */
import { type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { propertySchemas } from '../../evaluate/members.ts'
import { type TextSide, textCases, textVerdict, type Verdict } from '../cases/text-inclusion.ts'
import type { Layout } from '../cases/text-layout.ts'
import { type Both, both, type Draft } from './draft.ts'
import { listOf } from './rules.ts'
import type { SchemaChanges } from './schema-changes.ts'

export interface TextPlace {
  readonly schemas: Both<Json>
  readonly layouts: Both<Layout>
  readonly place: string
  readonly spot: Draft['spot']
}

/**
 * Returns the changes of the values, as far as they are changes of the texts. The properties of an object are judged one by
 * one, because every style writes each as a text of its own.
 */
export function textDrafts(found: readonly Draft[], place: TextPlace, changes: SchemaChanges): Draft[] {
  const isWrittenAnew = found.some(({ rule }) => /-(style|explode)-/.test(rule))
  const inner = isWrittenAnew ? [] : propertyPlaces(place, changes)
  return inner.reduce<Draft[]>(
    (drafts, property) => {
      const own = drafts.filter(
        ({ place: at, rule }) => at === property.place && !/required|optional/.test(rule)
      )
      const others = drafts.filter((draft) => !own.includes(draft))
      return [...others, ...placeDrafts(own, property, changes)]
    },
    placeDrafts(found, place, changes)
  )
}

/** Returns the properties that both objects declare, without lists and objects. */
function propertyPlaces({ schemas, layouts, place, spot }: TextPlace, changes: SchemaChanges): TextPlace[] {
  const all = changes.judge<TextPlace[]>((ends) => {
    const { old, now } = both(ends(schemas), objectNodes)
    const names = new Set(old.flatMap((node) => Object.keys(objectOf(own(node, 'properties')))))
    return [...names]
      .filter((name) => now.some((node) => own(objectOf(own(node, 'properties')), name) !== undefined))
      .map((name) => {
        const pair = both({ old, now }, (nodes): Json => ({ allOf: propertySchemas(nodes, name) }))
        return { schemas: pair, layouts, place: `${place}/${name}`, spot }
      })
  }, [])
  return all.filter((each) => {
    const found = changes.typesOf(each.schemas)
    return !found.has('array') && !found.has('object')
  })
}

/** Returns the schemas of an object that has no alternatives; otherwise an empty list. */
function objectNodes(end: Pick<TextSide, 'schema' | 'side'>): readonly JsonObject[] {
  const [first, ...others] = textCases(end)
  return first?.type === 'object' && others.length === 0 ? first.nodes : []
}

function placeDrafts(found: readonly Draft[], place: TextPlace, changes: SchemaChanges): Draft[] {
  const { isRequest } = changes
  return changes.judge<Draft[]>(
    (ends, includes) => {
      const { old, now } = ends(place.schemas)
      const sides: Both<TextSide> = {
        old: { ...old, layout: place.layouts.old, cases: textCases(old) },
        now: { ...now, layout: place.layouts.now, cases: textCases(now) }
      }
      if (!isReadAnew(sides, found)) return [...found]
      const [sent, received] = isRequest ? [sides.old, sides.now] : [sides.now, sides.old]
      return judged(found, textVerdict({ sent, received }, includes), place, isRequest)
    },
    [...found]
  )
}

/** Returns whether the types, or the way of writing lists, may change which texts are valid; objects have several texts. */
function isReadAnew({ old, now }: Both<TextSide>, found: readonly Draft[]): boolean {
  const [before, after] = [typesIn(old), typesIn(now)]
  if (before.includes('object') || after.includes('object')) return false
  const isAlike = before.join() === after.join() && before.length === 1 && before[0] !== 'array'
  // A schema that allows every type is read as text.
  return !isAlike || found.some(({ rule }) => /-type-/.test(rule))
}

const typesIn = ({ cases }: TextSide): string[] => [...new Set(cases.map(({ type }) => type))].sort()

function judged(
  found: readonly Draft[],
  verdict: Verdict,
  { place, spot }: TextPlace,
  isRequest: boolean
): Draft[] {
  const hurting = found.filter(({ rule }) => isHurting(rule))
  const others = found.filter((draft) => !hurting.includes(draft))
  const text = hurting.map((draft) => draft.text).join('; ')
  const at = { place, spot: hurting[0]?.spot ?? spot }
  if (verdict.answer === 'no') {
    if (hurting.some(({ rule }) => listOf(rule) === 'breaking')) return [...found]
    const rule = isRequest ? 'parameter-texts-narrowed' : 'response-header-texts-widened'
    const verb = isRequest ? 'no longer accepts' : 'may now be'
    return [...others, { ...at, rule, text: `${verb} the text ${JSON.stringify(verdict.example)}` }]
  }
  if (hurting.length === 0) return [...found]
  const role = isRequest ? 'parameter' : 'response-header'
  if (verdict.answer === 'yes') {
    const validity = isRequest ? 'of before is still valid' : 'was valid before'
    return [...others, { ...at, rule: `${role}-texts-kept`, text: `${text}, and every text ${validity}` }]
  }
  if (hurting.some(({ rule }) => listOf(rule) === 'breaking' && !isOfTypes(rule))) return [...found]
  return [...others, { ...at, rule: `${role}-texts-undecided`, text }]
}

/** Recognises rules about which values are valid. */
const isHurting = (rule: Draft['rule']): boolean =>
  !/discriminator|default|xml|deprecated/.test(rule) &&
  (listOf(rule) === 'breaking' || /^(request|response)-.*-undecided$/.test(rule))

/** Recognises rules whose changes may leave every text valid; bounds of the same type say the same of texts. */
const isOfTypes = (rule: Draft['rule']): boolean =>
  /-(type|null|enum|style|explode|pattern|alternative)-/.test(rule)
