import t from 'tap'
import { Progress } from '../../src/cli/progress.ts'

const nouns = ['plant', 'plants'] as const

t.test(
  'progress is one line that is written over, with the time that is left where the size is known',
  async (t) => {
    const written: string[] = []
    let ms = 0
    const progress = new Progress({ nouns, write: (text) => written.push(text), size: 1_000, now: () => ms })
    progress.show(0, 0)
    ms = 150
    progress.show(1_234, 500)
    ms = 249
    progress.show(1_235, 501)
    progress.clear()
    const lines = written.map((text) => text.replace('\r\x1b[K', '<'))
    t.same(lines, ['<0 plants, 0 a second', '<1,234 plants, 8,227 a second, 1 s left', '<'])
    t.equal(written.length, 3, 'not more often than a person can read')
  }
)

t.test('without a terminal nothing is written', async (t) => {
  const progress = new Progress({ nouns })
  progress.show(1, 1)
  progress.clear()
  t.match(progress.summary(1), /^1 plant, [\d,]+ a second$/)
})

t.test('without a size no time is shown', async (t) => {
  const written: string[] = []
  new Progress({ nouns, write: (text) => written.push(text) }).show(1, 1)
  t.match(written, [/a second$/])
})
