/** Runs before `npm start`, on any version of Node. */
import './check-node.js'

// A Node that is too old cannot parse it.
if (process.exitCode === undefined) await import('./bundle.js')
