/** The words that name the rules for schemas: kind, direction and meaning of each. */
import type { Role } from '../cases/side.ts'

export type List = 'breaking' | 'undecided' | 'compatible'

/**
 * The lists of each direction. Fewer values are valid after `narrowed`, more after `widened`; `changed` is both, and
 * `open` is neither proven nor refuted. The others do not concern which values are valid.
 */
export const directions = {
  narrowed: { request: 'breaking', response: 'compatible' },
  widened: { request: 'compatible', response: 'breaking' },
  changed: { request: 'breaking', response: 'breaking' },
  open: { request: 'undecided', response: 'undecided' },
  hidden: { request: 'breaking', response: 'undecided' },
  undecided: { request: 'undecided', response: 'undecided' },
  compatible: { request: 'compatible', response: 'compatible' }
} as const satisfies Readonly<Record<string, Readonly<Record<Role, List>>>>

export type Direction = keyof typeof directions

/** Kind, which is the keyword if there is one; direction; and meaning for the values of one place. */
export const words = {
  'type-narrowed': ['type', 'narrowed', 'fewer types are valid.'],
  'type-widened': ['type', 'widened', 'more types are valid.'],
  'type-changed': ['type', 'changed', 'other types are valid.'],
  'null-refused': ['null', 'narrowed', 'null is no longer valid.'],
  'null-allowed': ['null', 'widened', 'null is valid, too.'],
  'enum-value-removed': ['enum', 'narrowed', 'fewer values are listed, or values are listed at all.'],
  'enum-value-added': ['enum', 'widened', 'more values are listed, or values are no longer listed.'],
  'minimum-raised': ['minimum', 'narrowed', 'the least number is greater.'],
  'minimum-lowered': ['minimum', 'widened', 'the least number is smaller.'],
  'maximum-lowered': ['maximum', 'narrowed', 'the greatest number is smaller.'],
  'maximum-raised': ['maximum', 'widened', 'the greatest number is greater.'],
  'multiple-of-narrowed': ['multipleOf', 'narrowed', 'numbers are multiples of a greater step.'],
  'multiple-of-widened': ['multipleOf', 'widened', 'numbers are multiples of a smaller step.'],
  'multiple-of-changed': ['multipleOf', 'changed', 'numbers are multiples of another step.'],
  'min-length-raised': ['minLength', 'narrowed', 'the shortest text is longer.'],
  'min-length-lowered': ['minLength', 'widened', 'the shortest text is shorter.'],
  'max-length-lowered': ['maxLength', 'narrowed', 'the longest text is shorter.'],
  'max-length-raised': ['maxLength', 'widened', 'the longest text is longer.'],
  'pattern-narrowed': ['pattern', 'narrowed', 'fewer texts match the pattern.'],
  'pattern-widened': ['pattern', 'widened', 'more texts match the pattern.'],
  'pattern-changed': ['pattern', 'changed', 'other texts match the pattern.'],
  'pattern-undecided': ['pattern', 'open', 'nothing shows if all texts match the new pattern.'],
  'format-narrowed': ['format', 'narrowed', 'the format has fewer values.'],
  'format-widened': ['format', 'widened', 'the format has more values.'],
  'format-changed': ['format', 'changed', 'the format is another one.'],
  'format-undecided': ['format', 'open', 'nothing shows if all values have the new format.'],
  'content-encoding-changed': ['contentEncoding', 'changed', 'a text is encoded otherwise.'],
  'content-media-type-changed': ['contentMediaType', 'changed', 'a text holds another media type.'],
  'min-items-raised': ['minItems', 'narrowed', 'the shortest list is longer.'],
  'min-items-lowered': ['minItems', 'widened', 'the shortest list is shorter.'],
  'max-items-lowered': ['maxItems', 'narrowed', 'the longest list is shorter.'],
  'max-items-raised': ['maxItems', 'widened', 'the longest list is longer.'],
  'unique-items-required': ['uniqueItems', 'narrowed', 'items are unique.'],
  'unique-items-dropped': ['uniqueItems', 'widened', 'items may occur twice.'],
  'min-properties-raised': ['minProperties', 'narrowed', 'an object has more properties at least.'],
  'min-properties-lowered': ['minProperties', 'widened', 'an object has fewer properties at least.'],
  'max-properties-lowered': ['maxProperties', 'narrowed', 'an object has fewer properties at most.'],
  'max-properties-raised': ['maxProperties', 'widened', 'an object has more properties at most.'],
  'property-became-required': ['required', 'narrowed', 'a property is now required.'],
  'property-became-optional': ['required', 'widened', 'a property is no longer required.'],
  'required-property-added': ['required-property', 'narrowed', 'a required property is new.'],
  'required-property-removed': ['required-property', 'widened', 'a required property is gone.'],
  'closed-property-removed': ['closed-property', 'narrowed', 'a property is gone from a closed object.'],
  'closed-property-added': ['closed-property', 'widened', 'a property is new in a closed object.'],
  'additional-properties-narrowed': [
    'additionalProperties',
    'narrowed',
    'properties that are not declared have a schema, or are refused.'
  ],
  'additional-properties-widened': ['additionalProperties', 'widened', 'undeclared properties are allowed.'],
  'property-names-narrowed': ['propertyNames', 'narrowed', 'fewer names of properties are valid.'],
  'property-names-widened': ['propertyNames', 'widened', 'more names of properties are valid.'],
  'property-names-undecided': ['propertyNames', 'open', 'nothing shows if all names are still valid.'],
  'dependent-required-added': ['dependentRequired', 'narrowed', 'a property requires another.'],
  'dependent-required-removed': ['dependentRequired', 'widened', 'a property no longer requires another.'],
  'dependent-schemas-narrowed': ['dependentSchemas', 'narrowed', 'a property restricts its object.'],
  'dependent-schemas-widened': ['dependentSchemas', 'widened', 'a property no longer restricts its object.'],
  'dependent-schemas-undecided': ['dependentSchemas', 'open', 'nothing shows if all objects fit the schema.'],
  'not-narrowed': ['not', 'narrowed', '`not` excludes more values.'],
  'not-widened': ['not', 'widened', '`not` excludes fewer values.'],
  'not-undecided': ['not', 'open', 'nothing shows if `not` excludes more values.'],
  'condition-narrowed': ['if', 'narrowed', '`if` restricts more values.'],
  'condition-widened': ['if', 'widened', '`if` restricts fewer values.'],
  'condition-undecided': ['if', 'open', 'nothing shows if `if` restricts more values.'],
  'contains-narrowed': ['contains', 'narrowed', 'a list contains what it did not have to.'],
  'contains-widened': ['contains', 'widened', 'a list no longer contains what it had to.'],
  'contains-undecided': ['contains', 'open', 'nothing shows if all lists contain what they have to.'],
  'alternative-removed': ['alternative', 'narrowed', 'an alternative of `oneOf` or `anyOf` is gone.'],
  'alternative-added': ['alternative', 'widened', 'an alternative of `oneOf` or `anyOf` is new.'],
  'alternative-undecided': ['alternative', 'open', 'nothing shows if an alternative is covered by others.'],
  'comparison-undecided': ['comparison', 'open', 'schemas take too many steps to compare.'],
  'schema-narrowed': ['schema', 'narrowed', 'a value has become one of several alternatives of `oneOf`.'],
  'schema-widened': ['schema', 'widened', 'a value is no longer one of several alternatives of `oneOf`.'],
  'schema-undecided': ['schema', 'open', 'an object fits several alternatives of `oneOf` on one side only.'],
  'discriminator-changed': [
    'discriminator',
    'changed',
    'a discriminator has another property or another `defaultMapping`.'
  ],
  'discriminator-value-removed': ['discriminator-value', 'narrowed', 'a value of the discriminator is gone.'],
  'discriminator-value-added': ['discriminator-value', 'widened', 'a value of the discriminator is new.'],
  'property-added': ['property-added', 'compatible', 'an optional property is new.'],
  'property-removed': ['property-removed', 'undecided', 'an optional property of an open object is gone.'],
  'property-hidden': ['hidden', 'hidden', 'a property is now read-only in requests, write-only in answers.'],
  'property-shown': [
    'shown',
    'compatible',
    'a property is no longer read-only in requests, write-only in answers.'
  ],
  'default-changed': ['default', 'undecided', 'a default is added, gone, or another one.'],
  'property-deprecated': ['deprecated', 'compatible', 'a value is now deprecated.'],
  'property-undeprecated': ['undeprecated', 'compatible', 'a value is no longer deprecated.'],
  'xml-changed': ['xml', 'undecided', 'the form of a value in XML is another one.'],
  'discriminator-value-narrowed': [
    'discriminator-target',
    'narrowed',
    'a value of the discriminator selects a schema of fewer values.'
  ],
  'discriminator-value-widened': [
    'discriminator-target',
    'widened',
    'a value of the discriminator selects a schema of more values.'
  ],
  'discriminator-value-moved': [
    'discriminator-target',
    'changed',
    'a value of the discriminator selects a schema of other values.'
  ],
  'discriminator-value-undecided': [
    'discriminator-target',
    'open',
    'a value of the discriminator selects another schema, of which optional properties differ.'
  ],
  'discriminator-added-or-removed': ['discriminator-hint', 'undecided', 'a discriminator is added or gone.']
} as const satisfies Readonly<Record<string, readonly [kind: string, Direction, sentence: string]>>
