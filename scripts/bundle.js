/**
 * Bundles the service where the bundle is missing or stale, and esbuild is installed: after `npm ci` and before `npm start`. Never
 * fails, because the service starts without the bundle as well, only more slowly; `NODE_DEBUG=bundle` shows why there is none.
 */
import { fileURLToPath } from 'node:url'
import { debuglog } from 'node:util'
import { freshBundle } from './bundle/fresh-bundle.js'

/** A build takes less than this on a machine that is not busy. */
const silentMs = 2_000

const project = fileURLToPath(new URL('..', import.meta.url))

if (freshBundle(project) === undefined) {
  const timer = setTimeout(() => console.error('bundling the service, so that it starts faster'), silentMs)
  const build = async () => (await import('./bundle/build-bundle.ts')).buildBundle(project)
  await build().catch((error) => debuglog('bundle')('%s', error.message))
  clearTimeout(timer)
}
