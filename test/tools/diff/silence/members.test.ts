/** No member of any object of a document is new, gone or otherwise without a line, also where several are at once. */
import t from 'tap'
import type { Report } from '../../../../src/tools/diff/diff.ts'
import { compared } from '../pairs/documents.ts'
import { members } from './members.ts'
import { any, hurting } from './places.ts'

/** Returns whether a change of one of the lists has the text as a word. */
function isShown(report: Report, lists: readonly (keyof Report)[], text: string): boolean {
  const word = new RegExp(`\\b${text}\\b`)
  return lists.some((list) =>
    report[list].some(({ operation, message }) => word.test(`${operation} ${message}`))
  )
}

for (const count of [1, 2, 3])
  t.test(`${count} members at once`, async (t) => {
    const names = ['ann', 'bob', 'cat'].slice(0, count)
    const [many, few] = [[...names, 'zoe'], ['zoe']]
    for (const { what, of, hurts, shown = (name: string) => name } of members) {
      const isHurt = (edit: 'removed' | 'added') => (hurts === edit || hurts === 'both' ? hurting : any)
      const [removed, added] = [compared(of(many), of(few)), compared(of(few), of(many))]
      const silent = [
        ...names
          .filter((name) => !isShown(removed, isHurt('removed'), shown(name)))
          .map((name) => `${name} removed`),
        ...names
          .filter((name) => !isShown(added, isHurt('added'), shown(name)))
          .map((name) => `${name} added`)
      ]
      t.strictSame(silent, [], what)
    }
  })
