/** The command of `npm start`. */
import manifest from '../package.json' with { type: 'json' }

/** Options of Node and its file. */
export const [, , ...startCommand] = manifest.scripts.start.split(' ')
