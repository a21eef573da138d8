/** The settings of a new project: npm, TypeScript, Biome, editors, git. */
import { maxLineLength } from '../../../source/values.ts'
import type { Files } from './handlers.ts'

/** Writes short lists on one line, as the formatter does. */
function json(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  const short = text.replaceAll(/^( *"[^"]*": )(\[\n[^[\]{}]*\])/gm, (whole, key: string, list: string) => {
    const line = `${key}${list.replaceAll(/\n */g, ' ').replace('[ ', '[').replace(' ]', ']')}`
    return line.length < maxLineLength ? line : whole
  })
  return `${short}\n`
}

export function settingsFiles(contract: string): Files {
  return [
    ['.npmrc', 'save-exact=true\nfund=false\naudit=false\n'],
    ['.gitignore', 'node_modules/\n.env\n*.log\n.DS_Store\n'],
    ['.gitattributes', '* text=auto eol=lf\n*.tgz binary\ngenerated/** linguist-generated -merge\n'],
    ['.editorconfig', editorConfig],
    ['.vscode/extensions.json', json({ recommendations: ['redhat.vscode-yaml', 'biomejs.biome'] })],
    ['.vscode/settings.json', json(editorSettings(contract))],
    ['biome.json', json(biome(contract))],
    ['tsconfig.json', json(typescript)]
  ]
}

const editorConfig = `root = true

[*]
charset = utf-8
end_of_line = lf
indent_style = space
indent_size = 2
insert_final_newline = true
trim_trailing_whitespace = true
`

const editorSettings = (contract: string) => ({
  'editor.defaultFormatter': 'biomejs.biome',
  'editor.formatOnSave': true,
  'js/ts.tsdk.path': 'node_modules/typescript/lib',
  'typescript.tsdk': 'node_modules/typescript/lib',
  ...(/\.ya?ml$/.test(contract) ? { '[yaml]': { 'editor.defaultFormatter': 'redhat.vscode-yaml' } } : {}),
  'files.readonlyInclude': { 'generated/**': true }
})

const biome = (contract: string) => ({
  $schema: './node_modules/@biomejs/biome/configuration_schema.json',
  files: {
    includes: [
      '**',
      '!generated',
      '!vendor',
      '!package-lock.json',
      '!test/requests.json',
      `!${contract.includes('/') ? contract.slice(0, contract.indexOf('/')) : contract}`
    ]
  },
  formatter: { indentStyle: 'space', indentWidth: 2, lineWidth: 110 },
  javascript: { formatter: { quoteStyle: 'single', semicolons: 'asNeeded', trailingCommas: 'none' } },
  linter: { rules: { preset: 'recommended', complexity: { useLiteralKeys: 'off' } } }
})

const typescript = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext'],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    resolveJsonModule: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true
  },
  include: ['src', 'generated', 'test']
}
