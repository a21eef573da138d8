import t from 'tap'
import { byCodeUnits } from '../../../src/contract/diagnostics/problem.ts'

t.test('texts are ordered by code units, not by the alphabet of a language', async (t) => {
  const names = ['õ', 'z', 'Z', 'a', 'ä', 'I', 'ı', 'i', '', 'a', '\u{10000}', '\uffff']
  t.strictSame(names.toSorted(byCodeUnits), [
    '',
    'I',
    'Z',
    'a',
    'a',
    'i',
    'z',
    'ä',
    'õ',
    'ı',
    '\u{10000}',
    '\uffff'
  ])
})
