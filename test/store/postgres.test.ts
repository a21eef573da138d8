/** A real PostgreSQL 18, over real sockets. */
import t from 'tap'
import { openStore } from '../../src/store/open.ts'
import { conformance } from './conformance.ts'
import { Cluster } from './postgres-cluster.ts'

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()

const urls = new Map<string, Promise<string>>()

async function open(name: string) {
  const url = urls.get(name) ?? cluster.database(name)
  urls.set(name, url)
  return openStore(await url)
}

t.test('conforms', (t) => conformance(t, open))
