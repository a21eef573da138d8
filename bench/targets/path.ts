/** The whole service without a database, which answers each line of its input with the functions that ran since the last one, as JSON. */
import { Session } from 'node:inspector/promises'
import { runService } from './service.ts'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
process.stdin.on('data', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  console.log(JSON.stringify(result))
})
await runService()
