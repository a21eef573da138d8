/** Files of a new project that depends on the published packages, without a folder `vendor/`. */
import type { Files } from './handlers.ts'
import { packageNames } from './pack.ts'

type Edit = readonly [expression: RegExp, replacement: string]

const edits: Readonly<Record<string, readonly Edit[]>> = {
  'package.json': [[/"file:vendor\/[\w-]+?-(\d[^"]*)\.tgz"/g, '"^$1"']],
  'biome.json': [[/"!vendor", /, '']],
  Dockerfile: [[/^COPY vendor vendor\n/m, '']],
  '.dockerignore': [[/^!vendor\n/m, '']],
  'README.md': [
    [/^\| `vendor\/` .*\n/m, ''],
    [
      /replace the files of `vendor\/`[\s\S]*?\(a plain [^)]*\),/,
      `\`npm update\n  ${packageNames.join(' ')}\`,`
    ]
  ]
}

export const fromRegistry = (files: Files): Files =>
  files.map(([path, text]) => [
    path,
    (edits[path] ?? []).reduce((edited, [expression, by]) => edited.replace(expression, by), text)
  ])
