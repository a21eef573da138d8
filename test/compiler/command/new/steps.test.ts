import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { Steps } from '../../../../src/compiler/command/new/steps.ts'

t.test('a step is named when it begins, and again while it lasts', async (t) => {
  const output = new PassThrough({ encoding: 'utf8' })
  const { begin, end } = new Steps((line) => output.write(line), 20)
  t.teardown(end)
  begin('packing')
  t.equal(output.read(), 'packing\n')
  const [line] = await once(output, 'data')
  t.match(line, /^packing, for \d+ s\n/)
})
