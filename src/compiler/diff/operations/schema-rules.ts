/** Rules of schemas: each kind of difference in requests and in answers, by direction. */
import { kinds } from '../schemas/kinds.ts'
import type { List } from './operation-rules.ts'

type Kinds = typeof kinds
type Words<K> = K extends Readonly<Record<string, infer W extends string>> ? W : never
type Plain = keyof typeof plainRules
export type SchemaRule = `${'request' | 'response'}-${Words<Kinds[keyof Kinds]> | Plain}`

/** Meaning of each word for the values of one place. */
const sentences: Readonly<Record<Words<Kinds[keyof Kinds]>, string>> = {
  'type-narrowed': 'fewer types are valid.',
  'type-widened': 'more types are valid.',
  'type-changed': 'other types are valid.',
  'null-refused': 'null is no longer valid.',
  'null-allowed': 'null is valid, too.',
  'enum-value-removed': 'fewer values are listed, or values are listed at all.',
  'enum-value-added': 'more values are listed, or values are no longer listed.',
  'minimum-raised': 'the least number is greater.',
  'minimum-lowered': 'the least number is smaller.',
  'maximum-lowered': 'the greatest number is smaller.',
  'maximum-raised': 'the greatest number is greater.',
  'multiple-of-narrowed': 'numbers are multiples of a greater step.',
  'multiple-of-widened': 'numbers are multiples of a smaller step.',
  'multiple-of-changed': 'numbers are multiples of another step.',
  'min-length-raised': 'the shortest text is longer.',
  'min-length-lowered': 'the shortest text is shorter.',
  'max-length-lowered': 'the longest text is shorter.',
  'max-length-raised': 'the longest text is longer.',
  'pattern-narrowed': 'fewer texts match the pattern.',
  'pattern-widened': 'more texts match the pattern.',
  'pattern-changed': 'other texts match the pattern.',
  'pattern-undecided': 'nothing shows if all texts match the new pattern.',
  'format-narrowed': 'the format has fewer values.',
  'format-widened': 'the format has more values.',
  'format-changed': 'the format is another one.',
  'format-undecided': 'nothing shows if all values have the new format.',
  'content-encoding-changed': 'a text is encoded otherwise.',
  'content-media-type-changed': 'a text holds another media type.',
  'min-items-raised': 'the shortest list is longer.',
  'min-items-lowered': 'the shortest list is shorter.',
  'max-items-lowered': 'the longest list is shorter.',
  'max-items-raised': 'the longest list is longer.',
  'unique-items-required': 'items are unique.',
  'unique-items-dropped': 'items may occur twice.',
  'min-properties-raised': 'an object has more properties at least.',
  'min-properties-lowered': 'an object has fewer properties at least.',
  'max-properties-lowered': 'an object has fewer properties at most.',
  'max-properties-raised': 'an object has more properties at most.',
  'property-became-required': 'a property is now required.',
  'property-became-optional': 'a property is no longer required.',
  'required-property-added': 'a required property is new.',
  'required-property-removed': 'a required property is gone.',
  'closed-property-removed': 'a property is gone from an object that has no others.',
  'closed-property-added': 'a property is new in an object that had no others.',
  'additional-properties-narrowed': 'properties that are not declared have a schema, or are refused.',
  'additional-properties-widened': 'properties that are not declared are allowed.',
  'property-names-narrowed': 'fewer names of properties are valid.',
  'property-names-widened': 'more names of properties are valid.',
  'property-names-undecided': 'nothing shows if all names of properties are still valid.',
  'dependent-required-added': 'a property requires another.',
  'dependent-required-removed': 'a property no longer requires another.',
  'dependent-schemas-narrowed': 'a property restricts its object.',
  'dependent-schemas-widened': 'a property no longer restricts its object.',
  'dependent-schemas-undecided': 'nothing shows if all objects fit what a property demands.',
  'not-narrowed': '`not` excludes more values.',
  'not-widened': '`not` excludes fewer values.',
  'not-undecided': 'nothing shows if `not` excludes more values.',
  'condition-narrowed': '`if` restricts more values.',
  'condition-widened': '`if` restricts fewer values.',
  'condition-undecided': 'nothing shows if `if` restricts more values.',
  'contains-narrowed': 'a list contains what it did not have to.',
  'contains-widened': 'a list no longer contains what it had to.',
  'contains-undecided': 'nothing shows if all lists contain what they have to.',
  'alternative-removed': 'an alternative of `oneOf` or `anyOf` is gone.',
  'alternative-added': 'an alternative of `oneOf` or `anyOf` is new.',
  'alternative-undecided': 'nothing shows if an alternative is covered by others.',
  'comparison-undecided': 'schemas take more steps to compare than a comparison may take.',
  'schema-narrowed': 'a value has become one of several alternatives of `oneOf`.',
  'schema-widened': 'a value is no longer one of several alternatives of `oneOf`.',
  'schema-undecided': 'an object is one of several alternatives of `oneOf`, on one side only.',
  'discriminator-changed': 'another property is the discriminator.',
  'discriminator-value-removed': 'a value of the discriminator is gone.',
  'discriminator-value-added': 'a value of the discriminator is new.'
}

/** Rules about requests and answers that do not concern which values are valid. */
const plainRules = {
  'property-added': ['compatible', 'compatible', 'an optional property is new.'],
  'property-removed': ['undecided', 'undecided', 'an optional property is gone, and others are allowed.'],
  'property-hidden': [
    'breaking',
    'undecided',
    'a property is now read-only in requests, write-only in answers.'
  ],
  'property-shown': [
    'compatible',
    'compatible',
    'a property is no longer read-only in requests, write-only in answers.'
  ],
  'default-changed': ['undecided', 'undecided', 'a default is added, gone, or another one.'],
  'property-deprecated': ['compatible', 'compatible', 'a value is now deprecated.'],
  'property-undeprecated': ['compatible', 'compatible', 'a value is no longer deprecated.'],
  'xml-changed': ['undecided', 'undecided', 'the form of a value in XML is another one.'],
  'discriminator-added-or-removed': ['undecided', 'undecided', 'a discriminator is added or gone.']
} as const satisfies Readonly<Record<string, readonly [request: List, response: List, string]>>

export interface Rule {
  readonly id: string
  readonly list: List
  readonly sentence: string
}

export const schemaRules: readonly Rule[] = (['request', 'response'] as const).flatMap((role) => {
  const place = role === 'request' ? 'In a request' : 'In an answer'
  const rule = (word: string, list: List, sentence: string): Rule => ({
    id: `${role}-${word}`,
    list,
    sentence: `${place} ${sentence}`
  })
  return [
    ...Object.values(kinds).flatMap((words) =>
      [...new Set(Object.values(words))].map((word) => rule(word, listOf(words, word, role), sentences[word]))
    ),
    ...Object.entries(plainRules).map(([word, [request, response, sentence]]) =>
      rule(word, role === 'request' ? request : response, sentence)
    )
  ]
})

interface AnyWords {
  readonly narrowed: string
  readonly widened: string
  readonly open?: string
}

/** Returns the list of a rule: requests may only widen, answers may only narrow. */
function listOf({ narrowed, widened, open }: AnyWords, word: string, role: 'request' | 'response'): List {
  if (word === open) return 'undecided'
  const harmless = role === 'request' ? widened : narrowed
  return word === harmless && narrowed !== widened ? 'compatible' : 'breaking'
}
