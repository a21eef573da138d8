/** The rules for schemas: differences by the word that names them, and the list of each direction. */

/** Direction of a message, by which its schemas are judged. */
export type Role = 'request' | 'response'

export type List = 'breaking' | 'undecided' | 'compatible'

/**
 * The lists of each direction. Fewer values are valid after `narrowed`, more after `widened`; `changed` is both, and
 * `open` is neither proven nor refuted. `lost` is wider, too, but of requests it is not known if a server needs what clients still send. The others do not concern which values are valid.
 */
export const directions = {
  narrowed: { request: 'breaking', response: 'compatible' },
  widened: { request: 'compatible', response: 'breaking' },
  changed: { request: 'breaking', response: 'breaking' },
  open: { request: 'undecided', response: 'undecided' },
  lost: { request: 'undecided', response: 'breaking' },
  hidden: { request: 'breaking', response: 'undecided' },
  undecided: { request: 'undecided', response: 'undecided' },
  compatible: { request: 'compatible', response: 'compatible' }
} as const satisfies Readonly<Record<string, Readonly<Record<Role, List>>>>

export type Direction = keyof typeof directions

/** Kind, which is the keyword if there is one, and direction. */
export const words = {
  'type-narrowed': ['type', 'narrowed'],
  'type-widened': ['type', 'widened'],
  'type-changed': ['type', 'changed'],
  'null-refused': ['null', 'narrowed'],
  'null-allowed': ['null', 'widened'],
  'enum-value-removed': ['enum', 'narrowed'],
  'enum-value-added': ['enum', 'widened'],
  'minimum-raised': ['minimum', 'narrowed'],
  'minimum-lowered': ['minimum', 'widened'],
  'maximum-lowered': ['maximum', 'narrowed'],
  'maximum-raised': ['maximum', 'widened'],
  'multiple-of-narrowed': ['multipleOf', 'narrowed'],
  'multiple-of-widened': ['multipleOf', 'widened'],
  'multiple-of-changed': ['multipleOf', 'changed'],
  'min-length-raised': ['minLength', 'narrowed'],
  'min-length-lowered': ['minLength', 'widened'],
  'min-length-undecided': ['minLength', 'open'],
  'max-length-lowered': ['maxLength', 'narrowed'],
  'max-length-raised': ['maxLength', 'widened'],
  'max-length-undecided': ['maxLength', 'open'],
  'pattern-narrowed': ['pattern', 'narrowed'],
  'pattern-widened': ['pattern', 'widened'],
  'pattern-changed': ['pattern', 'changed'],
  'pattern-undecided': ['pattern', 'open'],
  'format-narrowed': ['format', 'narrowed'],
  'format-widened': ['format', 'widened'],
  'format-changed': ['format', 'changed'],
  'format-undecided': ['format', 'open'],
  'content-encoding-changed': ['contentEncoding', 'changed'],
  'content-media-type-changed': ['contentMediaType', 'changed'],
  'content-schema-narrowed': ['contentSchema', 'narrowed'],
  'content-schema-widened': ['contentSchema', 'widened'],
  'content-schema-undecided': ['contentSchema', 'open'],
  'min-items-raised': ['minItems', 'narrowed'],
  'min-items-lowered': ['minItems', 'widened'],
  'max-items-lowered': ['maxItems', 'narrowed'],
  'max-items-raised': ['maxItems', 'widened'],
  'unique-items-required': ['uniqueItems', 'narrowed'],
  'unique-items-dropped': ['uniqueItems', 'widened'],
  'min-properties-raised': ['minProperties', 'narrowed'],
  'min-properties-lowered': ['minProperties', 'widened'],
  'max-properties-lowered': ['maxProperties', 'narrowed'],
  'max-properties-raised': ['maxProperties', 'widened'],
  'property-became-required': ['required', 'narrowed'],
  'property-became-optional': ['required', 'widened'],
  'required-property-added': ['required-property', 'narrowed'],
  'required-property-removed': ['required-property', 'lost'],
  'closed-property-removed': ['closed-property', 'narrowed'],
  'closed-property-added': ['closed-property', 'widened'],
  'additional-properties-narrowed': ['additionalProperties', 'narrowed'],
  'additional-properties-widened': ['additionalProperties', 'widened'],
  'property-names-narrowed': ['propertyNames', 'narrowed'],
  'property-names-widened': ['propertyNames', 'widened'],
  'property-names-undecided': ['propertyNames', 'open'],
  'dependent-required-added': ['dependentRequired', 'narrowed'],
  'dependent-required-removed': ['dependentRequired', 'widened'],
  'dependent-schemas-narrowed': ['dependentSchemas', 'narrowed'],
  'dependent-schemas-widened': ['dependentSchemas', 'widened'],
  'dependent-schemas-undecided': ['dependentSchemas', 'open'],
  'not-narrowed': ['not', 'narrowed'],
  'not-widened': ['not', 'widened'],
  'not-undecided': ['not', 'open'],
  'condition-narrowed': ['if', 'narrowed'],
  'condition-widened': ['if', 'widened'],
  'condition-undecided': ['if', 'open'],
  'contains-narrowed': ['contains', 'narrowed'],
  'contains-widened': ['contains', 'widened'],
  'contains-undecided': ['contains', 'open'],
  'alternative-removed': ['alternative', 'narrowed'],
  'alternative-added': ['alternative', 'widened'],
  'alternative-undecided': ['alternative', 'open'],
  'comparison-undecided': ['comparison', 'open'],
  'schema-narrowed': ['schema', 'narrowed'],
  'schema-widened': ['schema', 'widened'],
  'schema-undecided': ['schema', 'open'],
  'discriminator-changed': ['discriminator', 'changed'],
  'discriminator-value-removed': ['discriminator-value', 'narrowed'],
  'discriminator-value-added': ['discriminator-value', 'widened'],
  'property-added': ['property-added', 'compatible'],
  'property-removed': ['property-removed', 'undecided'],
  'property-hidden': ['hidden', 'hidden'],
  'property-shown': ['shown', 'compatible'],
  'default-changed': ['default', 'undecided'],
  'property-deprecated': ['deprecated', 'compatible'],
  'property-undeprecated': ['undeprecated', 'compatible'],
  'xml-changed': ['xml', 'undecided'],
  'discriminator-value-narrowed': ['discriminator-target', 'narrowed'],
  'discriminator-value-widened': ['discriminator-target', 'widened'],
  'discriminator-value-moved': ['discriminator-target', 'changed'],
  'discriminator-value-undecided': ['discriminator-target', 'open'],
  'discriminator-added-or-removed': ['discriminator-hint', 'undecided']
} as const satisfies Readonly<Record<string, readonly [kind: string, Direction]>>

export type Kind = (typeof words)[keyof typeof words][0]

/** Kinds that are no keywords, or that need an explanation. */
const meanings: Readonly<Partial<Record<Kind, string>>> = {
  enum: '`enum`, also added or gone',
  required: 'a property that stays, in `required`',
  'required-property': 'a required property; one that is gone from requests: undecided',
  'closed-property': 'a property of a closed object',
  if: '`if`, `then`, `else`',
  alternative: 'an alternative of `oneOf`, `anyOf`',
  comparison: 'schemas too large to compare',
  schema: 'a value in several alternatives of `oneOf`',
  discriminator: 'property or `defaultMapping` of a `discriminator`',
  'discriminator-value': 'a value of a `discriminator`',
  'property-added': 'an optional property',
  'property-removed': 'an optional property of an open object',
  hidden: 'now `readOnly` in requests; `writeOnly` in answers: undecided',
  shown: 'no longer `readOnly`, `writeOnly`',
  default: '`default`, also added or gone',
  undeprecated: '`deprecated`',
  'discriminator-target': 'the schema that a `discriminator` selects',
  'discriminator-hint': '`discriminator`'
}
type Word = keyof typeof words
export type SchemaRule = `${Role}-${Word}`

const named = new Map(
  Object.entries(words).map(([word, [kind, direction]]) => [`${kind} ${direction}`, word as Word])
)

interface Found {
  readonly isNarrowed: boolean
  /** True for a change in both directions. */
  readonly isBoth: boolean
  readonly isOpen: boolean
}

/** Returns the most specific word for a difference. */
export function wordFor(kind: Kind, { isNarrowed, isBoth, isOpen }: Found): Word {
  const wanted: readonly Direction[] = [
    ...(isOpen ? (['open'] as const) : []),
    ...(isBoth ? (['changed'] as const) : []),
    ...(isNarrowed ? (['narrowed'] as const) : (['widened', 'lost'] as const))
  ]
  const found = [...wanted, ...Object.keys(directions)].map((direction) => named.get(`${kind} ${direction}`))
  return found.find((word) => word !== undefined) as Word
}

/** Returns whether the opposite direction finds the same. */
export const isSameBothWays = (kind: Kind): boolean =>
  ['hidden', 'undecided', 'compatible'].some((direction) => named.has(`${kind} ${direction}`))

export interface Rule {
  readonly id: string
  readonly list: List
}

export const schemaRules: readonly Rule[] = (['request', 'response'] as const).flatMap((role) =>
  Object.entries(words).map(([word, [, direction]]) => ({
    id: `${role}-${word}`,
    list: directions[direction][role]
  }))
)

/** Returns the table of the documentation, in Markdown: a row for each kind. */
export function schemaRulesTable(): string {
  const kinds = Map.groupBy(Object.entries(words), ([, [kind]]) => kind)
  const rows = [...kinds].map(([kind, found]) => {
    const cells: [string[], string[], string[]] = [[], [], []]
    for (const [word, [, direction]] of found) {
      const { request, response } = directions[direction]
      if (request === response) cells[2].push(`${request}: \`${word}\``)
      else cells[request === 'breaking' ? 0 : 1].push(`\`${word}\``)
    }
    return `| ${[meanings[kind] ?? `\`${kind}\``, ...cells.map((cell) => cell.join(', '))].join(' | ')} |`
  })
  return ['| | breaking in requests | breaking in answers | in both |', '|---|---|---|---|', ...rows].join(
    '\n'
  )
}
