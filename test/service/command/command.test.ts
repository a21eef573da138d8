import t from 'tap'
import { accepted } from '../../../src/service/command/command.ts'

t.test('options that were read are returned, and refused ones end the command with their text', async (t) => {
  const options = { port: 80 }
  t.equal(accepted(options), options)
  t.throws(() => accepted({ exitCode: 2, text: '--port is "x"' }), {
    message: '--port is "x"',
    exitCode: 2
  })
})
