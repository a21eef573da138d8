/** The rules for schemas: differences by the word that names them, and the list of each effect. */

/** Direction of a message, by which its schemas are judged. */
export type Role = 'request' | 'response'

export type List = 'breaking' | 'undecided' | 'compatible'

/**
 * The lists of each effect. Fewer values are valid after `narrowed`, more after `widened`; `changed` is both, and
 * `open` is neither proven nor refuted. `lost` is wider, too, but of requests it is not known if a server needs what
 * clients still send. The others do not concern which values are valid.
 */
const effects = {
  narrowed: { request: 'breaking', response: 'compatible' },
  widened: { request: 'compatible', response: 'breaking' },
  changed: { request: 'breaking', response: 'breaking' },
  open: { request: 'undecided', response: 'undecided' },
  lost: { request: 'undecided', response: 'breaking' },
  hidden: { request: 'breaking', response: 'undecided' },
  undecided: { request: 'undecided', response: 'undecided' },
  compatible: { request: 'compatible', response: 'compatible' }
} as const satisfies Readonly<Record<string, Readonly<Record<Role, List>>>>

/** Effect of a change on the values that are valid, or on how they are read. */
export type Effect = keyof typeof effects

const regular = <Name extends string>(name: Name) =>
  ({ narrowed: `${name}-narrowed`, widened: `${name}-widened` }) as const

/** Words of each kind, which is the keyword if there is one, by effect. */
const words = {
  type: { ...regular('type'), changed: 'type-changed' },
  null: { narrowed: 'null-refused', widened: 'null-allowed' },
  enum: { narrowed: 'enum-value-removed', widened: 'enum-value-added' },
  minimum: { narrowed: 'minimum-raised', widened: 'minimum-lowered' },
  maximum: { narrowed: 'maximum-lowered', widened: 'maximum-raised' },
  multipleOf: { ...regular('multiple-of'), changed: 'multiple-of-changed' },
  minLength: { narrowed: 'min-length-raised', widened: 'min-length-lowered', open: 'min-length-undecided' },
  maxLength: { narrowed: 'max-length-lowered', widened: 'max-length-raised', open: 'max-length-undecided' },
  pattern: { ...regular('pattern'), changed: 'pattern-changed', open: 'pattern-undecided' },
  format: { ...regular('format'), changed: 'format-changed', open: 'format-undecided' },
  contentEncoding: { changed: 'content-encoding-changed' },
  contentMediaType: { changed: 'content-media-type-changed' },
  contentSchema: { ...regular('content-schema'), open: 'content-schema-undecided' },
  minItems: { narrowed: 'min-items-raised', widened: 'min-items-lowered' },
  maxItems: { narrowed: 'max-items-lowered', widened: 'max-items-raised' },
  uniqueItems: { narrowed: 'unique-items-required', widened: 'unique-items-dropped' },
  minProperties: { narrowed: 'min-properties-raised', widened: 'min-properties-lowered' },
  maxProperties: { narrowed: 'max-properties-lowered', widened: 'max-properties-raised' },
  required: { narrowed: 'property-became-required', widened: 'property-became-optional' },
  'required-property': { narrowed: 'required-property-added', lost: 'required-property-removed' },
  'closed-property': { narrowed: 'closed-property-removed', widened: 'closed-property-added' },
  additionalProperties: regular('additional-properties'),
  propertyNames: { ...regular('property-names'), open: 'property-names-undecided' },
  dependentRequired: { narrowed: 'dependent-required-added', widened: 'dependent-required-removed' },
  dependentSchemas: { ...regular('dependent-schemas'), open: 'dependent-schemas-undecided' },
  not: { ...regular('not'), open: 'not-undecided' },
  if: { ...regular('condition'), open: 'condition-undecided' },
  contains: { ...regular('contains'), open: 'contains-undecided' },
  alternative: {
    narrowed: 'alternative-removed',
    widened: 'alternative-added',
    open: 'alternative-undecided'
  },
  comparison: { open: 'comparison-undecided' },
  schema: { ...regular('schema'), open: 'schema-undecided' },
  discriminator: { changed: 'discriminator-changed' },
  'discriminator-value': { narrowed: 'discriminator-value-removed', widened: 'discriminator-value-added' },
  'property-added': { compatible: 'property-added' },
  'property-removed': { undecided: 'property-removed' },
  hidden: { hidden: 'property-hidden' },
  shown: { compatible: 'property-shown' },
  default: { undecided: 'default-changed' },
  deprecated: { compatible: 'property-deprecated' },
  undeprecated: { compatible: 'property-undeprecated' },
  xml: { undecided: 'xml-changed' },
  'discriminator-target': {
    ...regular('discriminator-value'),
    changed: 'discriminator-value-moved',
    open: 'discriminator-value-undecided'
  },
  'discriminator-hint': { undecided: 'discriminator-added-or-removed' }
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Effect, string>>>>>

export type Kind = keyof typeof words

const wordsOf = (kind: Kind): Readonly<Partial<Record<Effect, Word>>> => words[kind]

type Values<T> = T extends unknown ? T[keyof T] : never
type Word = Values<(typeof words)[Kind]>
export type SchemaRule = `${Role}-${Word}`

/** Returns the word of a kind for the first effect that has one. */
export function wordFor(kind: Kind, wanted: readonly Effect[]): Word {
  const own = wordsOf(kind)
  return (wanted.map((effect) => own[effect]).find((word) => word !== undefined) ??
    Object.values(own)[0]) as Word
}

/** Returns whether the opposite direction finds the same. */
export const isSameBothWays = (kind: Kind): boolean => {
  const own = wordsOf(kind)
  return (own.hidden ?? own.undecided ?? own.compatible) !== undefined
}

export interface Rule {
  readonly id: string
  readonly list: List
}

export const schemaRules: readonly Rule[] = (['request', 'response'] as const).flatMap((role) =>
  Object.values(words).flatMap((own) =>
    Object.entries(own).map(([effect, word]) => ({
      id: `${role}-${word}`,
      list: effects[effect as Effect][role]
    }))
  )
)
