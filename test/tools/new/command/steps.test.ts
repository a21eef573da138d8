import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { Steps } from '../../../../src/tools/new/command/steps.ts'

t.test(
  'a step is named when it begins, and its time is written while it lasts and when it ends',
  async (t) => {
    let output = ''
    const { begin, end } = new Steps((text) => {
      output += text
    }, 20)
    begin('packing')
    t.equal(output, 'packing')
    while (output === 'packing') await delay(5)
    t.equal(output, 'packing … 0 s')
    begin('installing')
    end()
    t.match(output, /^packing … 0 s: \d\.\d s\ninstalling: 0\.0 s\n$/)
    const whole = output
    end()
    t.equal(output, whole)
  }
)
