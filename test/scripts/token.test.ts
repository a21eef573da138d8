import { execFileSync } from 'node:child_process'
import { test } from 'tap'
import { digestLine } from '../../src/service/credentials/digest.ts'

test('npm run token prints a token and the line to store', async (t) => {
  const printed = execFileSync(process.execPath, ['scripts/token.ts'], { encoding: 'utf8' })
  const [, token = '', line] =
    /^ {2}token {3}(\S+) .*once.*\n {2}digest {2}(\S+)\n\nNext: /.exec(printed) ?? []
  t.match(token, /^plant_/)
  t.equal(line, digestLine(token))
})

test('npm run token says which process to signal, also when npm started the service', async (t) => {
  const printed = execFileSync(process.execPath, ['scripts/token.ts'], { encoding: 'utf8' })
  t.match(printed, /kill -HUP the pid in the line "started"/)
  t.match(printed, /npm/)
})
