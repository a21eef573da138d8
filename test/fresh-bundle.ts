/** The function that `npm start` calls, from JavaScript without types. */
import { pathToFileURL } from 'node:url'

const file = pathToFileURL('scripts/bundle/fresh-bundle.js').href

export const { freshBundle }: { freshBundle: (project: string) => string | undefined } = await import(file)
