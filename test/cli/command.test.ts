import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { writeLines } from '../../src/cli/command.ts'

t.test('lines are written at once, and a slow reader is waited for', async (t) => {
  const steps: string[] = []
  let read = () => {}
  const out = new Writable({
    decodeStrings: false,
    highWaterMark: 5,
    write: (text, _encoding, done) => {
      steps.push(`write ${JSON.stringify(text)}`)
      read = done
    }
  })
  await writeLines(out, [])
  await writeLines(out, ['a\n', 'b\n'])
  read()
  const written = writeLines(out, ['cccc\n', 'd\n']).then(() => steps.push('resolve'))
  await turn()
  steps.push('read')
  read()
  await written
  t.same(steps, ['write "a\\nb\\n"', 'write "cccc\\nd\\n"', 'read', 'resolve'])
})
