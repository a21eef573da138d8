/** Groups changes by whom they concern, with what to do: the material of comments and pages. */
import type { Change, List, Report } from '../../diff.ts'

export interface Group {
  /** Whom the changes concern. */
  readonly who: string
  /** A sentence; empty for changes that break nobody. */
  readonly advice: string
  readonly changes: readonly Change[]
}

export interface Section {
  readonly list: List
  readonly title: string
  readonly groups: readonly Group[]
}

type Row = readonly [matches: (change: Change) => boolean, who: string, advice: string]

const byRule =
  (pattern: RegExp) =>
  ({ rule }: Change): boolean =>
    pattern.test(rule)

/** Whom a change concerns; the first row that matches decides. */
const rows: readonly Row[] = [
  [
    ({ rule, place }) => /^(callback|webhook)/.test(rule) || /^(callback|webhook)s\//.test(place),
    'Receivers of callbacks and webhooks',
    'Send what was sent before, and accept the same answers; send what is new under another name.'
  ],
  [
    byRule(/^(path|operation|sunset)-/),
    'Clients that call these operations',
    'Keep the operation with `deprecated: true` and an `x-sunset`, and remove it after that date.'
  ],
  [
    byRule(/^(security|oauth|open-id)-/),
    'Clients with the credentials of before',
    'Accept these credentials, too, until the clients have others.'
  ],
  [
    byRule(/^server-/),
    'Clients that use these URLs',
    'Let the old URL answer, or redirect it, until clients have the new one.'
  ],
  [
    byRule(/^(response|required-response|optional-response|link)-/),
    'Clients that read these answers',
    'Answer within what the old contract allows; add what is new as an optional property, another status or a new operation.'
  ]
]

const senders = {
  who: 'Clients that send these requests',
  advice:
    'Accept what the old contract allows, too; where that cannot be, make it a new operation or a new version.'
}

const titles = {
  breaking: 'What breaks',
  undecided: 'What may break',
  compatible: 'What is compatible'
} as const

/** Returns the sections that have changes. */
export const sectionsOf = (report: Report): Section[] =>
  (['breaking', 'undecided', 'compatible'] as const).flatMap((list) =>
    report[list].length === 0 ? [] : [{ list, title: titles[list], groups: groupsOf(list, report[list]) }]
  )

function groupsOf(list: List, changes: readonly Change[]): Group[] {
  const grouped = Map.groupBy(changes, (change) => {
    const [, who, advice] = rows.find(([matches]) => matches(change)) ?? [
      undefined,
      senders.who,
      senders.advice
    ]
    return `${who}\n${list === 'breaking' ? advice : ''}`
  })
  return [...grouped].map(([key, members]) => {
    const [who = '', advice = ''] = key.split('\n')
    return { who, advice, changes: members }
  })
}

/** Returns the sentence above all: how much breaks, since when. */
export function summaryOf({ breaking, undecided, compatible }: Report, base: string): string {
  if (breaking.length + undecided.length + compatible.length === 0)
    return `Nothing that matters to a client has changed since ${base}`
  const count = `${breaking.length} breaking, ${undecided.length} undecided, ${compatible.length} compatible since ${base}`
  return breaking.length === 0 ? `Nothing breaks: ${count}` : `This breaks clients: ${count}`
}

/** Returns an entry of contract-accepted.yaml for each change, the reason left to its author. */
export const acceptedText = (changes: readonly Change[]): string =>
  changes
    .map(({ rule, operation, place }) => {
      const where = [operation ?? '', place].filter((part) => part !== '').join(' ')
      return `- rule: ${rule}\n  place: ${JSON.stringify(where)}\n  reason: \n`
    })
    .join('')
