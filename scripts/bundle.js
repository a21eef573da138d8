/**
 * Bundles the service if the bundle is missing or stale, and esbuild is installed: after `npm ci` and before `npm
 * start`. Never fails, because the service also starts without the bundle, only more slowly; `NODE_DEBUG=bundle` prints
 * the reason.
 */
import { fileURLToPath } from 'node:url'
import { debuglog } from 'node:util'
import { freshBundle } from './bundle/fresh-bundle.js'

/** Time in ms after which a message is printed; a build takes less on an idle machine. */
const silentMs = 2_000

const project = fileURLToPath(new URL('..', import.meta.url))

if (freshBundle(project) === undefined) {
  const timer = setTimeout(() => console.error('bundling the service, so that it starts faster'), silentMs)
  const build = async () => (await import('./bundle/build-bundle.ts')).buildBundle(project)
  await build().catch((error) => debuglog('bundle')('%s', error.message))
  clearTimeout(timer)
}
