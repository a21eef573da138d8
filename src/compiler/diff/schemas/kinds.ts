/** Kinds of differences between two schemas, and the words that name their rules. */
interface Words {
  /** Name of a change after which fewer values are valid. */
  readonly narrowed: string
  /** Name of a change after which more values are valid. */
  readonly widened: string
  /** Name of a change in both directions; without it, the two directions are named. */
  readonly changed?: string
  /** Name of a change whose direction cannot be decided. */
  readonly open?: string
}

export const kinds = {
  type: { narrowed: 'type-narrowed', widened: 'type-widened', changed: 'type-changed' },
  null: { narrowed: 'null-refused', widened: 'null-allowed' },
  enum: { narrowed: 'enum-value-removed', widened: 'enum-value-added' },
  minimum: { narrowed: 'minimum-raised', widened: 'minimum-lowered' },
  maximum: { narrowed: 'maximum-lowered', widened: 'maximum-raised' },
  'multiple-of': {
    narrowed: 'multiple-of-narrowed',
    widened: 'multiple-of-widened',
    changed: 'multiple-of-changed'
  },
  'min-length': { narrowed: 'min-length-raised', widened: 'min-length-lowered' },
  'max-length': { narrowed: 'max-length-lowered', widened: 'max-length-raised' },
  pattern: {
    narrowed: 'pattern-narrowed',
    widened: 'pattern-widened',
    changed: 'pattern-changed',
    open: 'pattern-undecided'
  },
  format: {
    narrowed: 'format-narrowed',
    widened: 'format-widened',
    changed: 'format-changed',
    open: 'format-undecided'
  },
  'content-encoding': { narrowed: 'content-encoding-changed', widened: 'content-encoding-changed' },
  'content-media-type': { narrowed: 'content-media-type-changed', widened: 'content-media-type-changed' },
  'min-items': { narrowed: 'min-items-raised', widened: 'min-items-lowered' },
  'max-items': { narrowed: 'max-items-lowered', widened: 'max-items-raised' },
  'unique-items': { narrowed: 'unique-items-required', widened: 'unique-items-dropped' },
  'min-properties': { narrowed: 'min-properties-raised', widened: 'min-properties-lowered' },
  'max-properties': { narrowed: 'max-properties-lowered', widened: 'max-properties-raised' },
  required: { narrowed: 'property-became-required', widened: 'property-became-optional' },
  'required-property': { narrowed: 'required-property-added', widened: 'required-property-removed' },
  'closed-property': { narrowed: 'closed-property-removed', widened: 'closed-property-added' },
  'additional-properties': {
    narrowed: 'additional-properties-narrowed',
    widened: 'additional-properties-widened'
  },
  'property-names': {
    narrowed: 'property-names-narrowed',
    widened: 'property-names-widened',
    open: 'property-names-undecided'
  },
  'dependent-required': { narrowed: 'dependent-required-added', widened: 'dependent-required-removed' },
  'dependent-schemas': {
    narrowed: 'dependent-schemas-narrowed',
    widened: 'dependent-schemas-widened',
    open: 'dependent-schemas-undecided'
  },
  not: { narrowed: 'not-narrowed', widened: 'not-widened', open: 'not-undecided' },
  condition: { narrowed: 'condition-narrowed', widened: 'condition-widened', open: 'condition-undecided' },
  contains: { narrowed: 'contains-narrowed', widened: 'contains-widened', open: 'contains-undecided' },
  alternative: {
    narrowed: 'alternative-removed',
    widened: 'alternative-added',
    open: 'alternative-undecided'
  },
  comparison: {
    narrowed: 'comparison-undecided',
    widened: 'comparison-undecided',
    open: 'comparison-undecided'
  },
  schema: { narrowed: 'schema-narrowed', widened: 'schema-widened', open: 'schema-undecided' },
  discriminator: { narrowed: 'discriminator-changed', widened: 'discriminator-changed' },
  'discriminator-value': { narrowed: 'discriminator-value-removed', widened: 'discriminator-value-added' }
} as const satisfies Readonly<Record<string, Words>>

export type ComparedKind = keyof typeof kinds
export type Kind =
  | ComparedKind
  | 'property-added'
  | 'property-removed'
  | 'hidden'
  | 'shown'
  | 'default'
  | 'deprecated'
  | 'undeprecated'
  | 'xml'
  | 'discriminator-hint'
