/** A primary and its synchronous standby, which is promoted: https://www.postgresql.org/docs/18/warm-standby.html. */
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import { sleep } from '../../time.ts'
import { keepsItsWord, loadOn } from '../load.ts'
import type { Cluster } from './cluster.ts'
import { startPair, urlOf } from './pair.ts'

t.setTimeout(900_000)

// One connection is used: with more, an opening one would notice the frozen server instead of the one in use.
const parameters = '?target_session_attrs=read-write&statement_timeout=500&connect_timeout=1&max=1'

const losses: [what: string, lose: (primary: Cluster) => Promise<void>][] = [
  ['killed', (primary) => primary.stop()],
  ['frozen', (primary) => primary.freeze()]
]

for (const [what, lose] of losses) {
  t.test(`a primary ${what} and its standby promoted under load`, async (t) => {
    const { primary, standby } = await startPair(t)
    const store = await openStore(urlOf({ primary, standby }, parameters))
    const load = loadOn(store)
    await load.progress(2_000)
    await t.rejects(openStore(standby.url()), { message: /^PostgreSQL at 127\.0\.0\.1:\d+ is read-only$/ })
    await lose(primary)
    await sleep(200)
    t.equal(await store.ready(), false, 'a standby alone is no store, though it stands first in the URL')
    await standby.query((sql) => sql`select pg_promote()`)
    await load.progress(2_000)
    t.equal(await store.ready(), true)
    await load.stop()
    t.same(load.failures, new Map(), 'creates waited for the new primary')
    await keepsItsWord(t, load, store)
    await store.close()
  })
}
