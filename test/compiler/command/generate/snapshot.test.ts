import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Snapshot } from '../../../../src/compiler/command/generate/file-watcher.ts'

t.test('a save of the same text is not a change; an empty file counts as missing', async (t) => {
  const folder = t.testdir({ a: 'one', b: 'two' })
  const [a, b] = [join(folder, 'a'), join(folder, 'b')]
  const snapshot = new Snapshot()
  snapshot.learn([a, b])
  writeFileSync(a, 'one')
  t.strictSame(snapshot.changed([a, b]), [])
  writeFileSync(a, '')
  t.strictSame(snapshot.changed([a, b]), [a])
  t.ok(snapshot.isGone(a))
  rmSync(a)
  t.strictSame(snapshot.changed([b]), [], 'emptied, then removed')
  writeFileSync(a, 'three')
  writeFileSync(b, 'four')
  t.strictSame(snapshot.changed([a]), [a, b], 'known ones are compared as well')
  t.notOk(snapshot.isGone(a))
})

t.test('a named pipe is not read', async (t) => {
  const pipe = join(t.testdir({}), 'pipe')
  execFileSync('mkfifo', [pipe])
  const snapshot = new Snapshot()
  snapshot.learn([pipe, '/dev/zero'])
  t.ok(snapshot.isGone(pipe))
  t.ok(snapshot.isGone('/dev/zero'))
})
