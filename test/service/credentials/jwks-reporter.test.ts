import t from 'tap'
import { jwksReporter } from '../../../src/service/credentials/bearer.ts'
import { createLog } from '../../../src/service/observability/log.ts'

t.test('the log reports whether the last keys stay valid', async (t) => {
  const lines: object[] = []
  const report = jwksReporter(createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }))
  report.onFailure(new Error('refused'), false)
  report.onFailure(new Error('refused'), true)
  report.onSuccess()
  const failed = 'AUTH_JWKS_URL: the keys could not be fetched;'
  t.match(lines, [
    {
      level: 40,
      err: { message: 'refused' },
      msg: `${failed} no JWT can be checked, and the service is not ready`
    },
    { level: 40, msg: `${failed} the last ones stay in force` },
    { level: 30, msg: 'AUTH_JWKS_URL: the keys are fetched' }
  ])
})
