/** Announces the URL of the service to a parent process or to a person. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Service } from '../run.ts'

/** Delay of the welcome text, in which waiting requests are answered; the text costs 12 of 180 ms of CPU. */
const answeringMs = 20

export interface Announced extends Pick<Service, 'url' | 'token'> {
  /** Returns the text of the contract. */
  readonly yaml: () => Promise<string>
}

/** Sends the URL to a parent process over IPC, or prints the welcome text. */
export async function announce(
  { url, token, yaml }: Announced,
  { production, usesTokens }: Config,
  print: (text: string) => void
): Promise<void> {
  // With a callback, a parent that has gone is no `error` event, which would end the process.
  process.send?.({ url, usesTokens }, undefined, undefined, () => undefined)
  if (process.send !== undefined || production) return
  await sleep(answeringMs)
  const [{ openApiJson }, { welcome }, { paintFor }, text] = await Promise.all([
    import('@contract-first/engine/server'),
    import('../terminal/welcome.ts'),
    import('@contract-first/cli/format'),
    yaml()
  ])
  print(welcome({ url, token, document: openApiJson(text) }, paintFor(process.stdout, process.env)))
}
