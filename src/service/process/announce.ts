/** Announces the URL of the service to a parent process or to a person. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Service } from '../run.ts'
import type { Welcome } from '../terminal/welcome.ts'

/** Delay of the welcome text, in which waiting requests are answered; the text costs 12 of 180 ms of CPU. */
const answeringMs = 20

export interface Announced extends Pick<Service, 'url' | 'token'>, Pick<Welcome, 'contract'> {}

/** Sends the URL to a parent process over IPC, or prints the welcome text. */
export async function announce(
  { url, token, contract }: Announced,
  { production, usesTokens }: Config,
  print: (text: string) => void
): Promise<void> {
  // With a callback, a parent that has gone is no `error` event, which would end the process.
  process.send?.({ url, usesTokens }, undefined, undefined, () => undefined)
  if (process.send !== undefined || production) return
  await sleep(answeringMs)
  const [{ welcome }, { paintFor }] = await Promise.all([
    import('../terminal/welcome.ts'),
    import('@contract-first/cli/format')
  ])
  print(welcome({ url, token, contract }, paintFor(process.stdout, process.env)))
}
