/** The packages of a new project besides its own three, each at the version that this project is tested with. */
export const tools = {
  '@biomejs/biome': '2.5.15',
  '@types/node': '26.6.6',
  node: '26.10.0',
  'pino-pretty': '13.2.0',
  typescript: '5.9.3'
} as const

/** Programs in other languages that a package of the compiler depends on and that are never used: none is installed. */
export const overrides = {
  recheck: {
    'recheck-jar': 'npm:empty-npm-package@1.0.0',
    'recheck-linux-x64': 'npm:empty-npm-package@1.0.0',
    'recheck-macos-arm64': 'npm:empty-npm-package@1.0.0',
    'recheck-macos-x64': 'npm:empty-npm-package@1.0.0',
    'recheck-windows-x64': 'npm:empty-npm-package@1.0.0'
  }
} as const
