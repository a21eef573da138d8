import { test } from 'tap'
import { createLog } from '../../../src/service/observability/log.ts'
import { onEachRequest, onOutcome } from '../../../src/service/observability/request-log.ts'
import { until } from '../../time.ts'
import { createService } from '../http/service.ts'

test('a report that throws is logged, and does not end the process', async (t) => {
  const lines: Record<string, unknown>[] = []
  const loggerInstance = createLog('error', { write: (line) => lines.push(JSON.parse(line)) })
  const app = createService(t, { loggerInstance })
  const report = onOutcome(() => {
    throw new Error('secret')
  })
  onEachRequest(app, report)
  app.get('/', async () => 'ok')
  const origin = await app.listen()
  t.equal((await fetch(origin)).status, 200)
  await until(() => lines.length > 0)
  t.match(lines, [{ err: { message: 'secret' }, msg: 'the outcome of a request could not be reported' }])
})
