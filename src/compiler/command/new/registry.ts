/** Files of a new project that depends on the published packages, without a folder `vendor/`. */
import type { Files } from './handlers.ts'

type Edit = readonly [expression: RegExp, replacement: string]

const update = ['engine', 'service', 'contract', 'compiler']
  .map((name) => `@contract-first/${name}`)
  .join(' ')

const edits: Readonly<Record<string, readonly Edit[]>> = {
  'package.json': [[/"file:vendor\/[\w-]+?-(\d[^"]*)\.tgz"/g, '"^$1"']],
  'biome.json': [[/"!vendor", /, '']],
  Dockerfile: [[/^COPY vendor vendor\n/m, '']],
  '.dockerignore': [[/^!vendor\n/m, '']],
  'README.md': [
    [/^\| `vendor\/` .*\n/m, ''],
    [/replace the files of `vendor\/`[\s\S]*?\(a plain [^)]*\),/, `\`npm update\n  ${update}\`,`]
  ]
}

export const fromRegistry = (files: Files): Files =>
  files.map(([path, text]) => [
    path,
    (edits[path] ?? []).reduce((edited, [expression, by]) => edited.replace(expression, by), text)
  ])
