import type { Test } from 'tap'
import { Cluster } from './cluster.ts'

/** A primary and its standby, which acknowledge together: https://www.postgresql.org/docs/18/warm-standby.html. */
export interface Pair {
  readonly primary: Cluster
  readonly standby: Cluster
}

/** Starts a primary that acknowledges only with its standby, which answers queries. */
export async function startPair(t: Test): Promise<Pair> {
  const primary = await Cluster.create()
  t.teardown(() => primary.remove())
  const standby = await primary.standby()
  t.teardown(() => standby.remove())
  await primary.start()
  await standby.start()
  primary.configure({ synchronous_standby_names: '*' })
  await primary.query((sql) => sql`select pg_reload_conf()`)
  return { primary, standby }
}

/** Returns a URL of both, the standby first. */
export function urlOf({ primary, standby }: Pair, parameters: string): string {
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
  return primary.url('postgres', parameters).replace(`127.0.0.1:${primary.port}`, hosts)
}
