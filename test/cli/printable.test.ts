import t from 'tap'
import { isPrintable, printable, printableJson } from '../../src/cli/printable.ts'

const hostile = 'a\u001b]52;c;x\u0007b\u009bc\r\n\t\u2028\u202ed\u2066\u0085\u007f\ud800'

t.test('nothing that a terminal interprets is left', async (t) => {
  t.equal(printable(hostile), 'a�]52;c;x�b�c�� ��d����')
  t.equal(isPrintable(printable(hostile)), true)
  t.equal(isPrintable(hostile), false)
  t.equal(printable('Größe 植物 👩\u200d🌾'), 'Größe 植物 👩\u200d🌾')
})

t.test('JSON keeps its meaning and its lines', async (t) => {
  const json = JSON.stringify({ [hostile]: [hostile] }, null, 2)
  t.strictSame(JSON.parse(printableJson(json)), JSON.parse(json))
  t.notMatch(printableJson(json), /[^\n -~]/)
  t.equal(printableJson(json).split('\n').length, 5)
})
