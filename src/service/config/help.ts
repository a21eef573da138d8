/** The table of variables as a user meets it: `--help`, `.env.example`, and the README. */
import { allVariables, type Variable } from './variables.ts'

const shownDefault = (variable: Variable<unknown>): string => variable.shownDefault ?? variable.default

export function renderHelp(version: string): string {
  const width = Math.max(...allVariables.map(({ name }) => name.length))
  const lines = allVariables.map((variable) => {
    const otherwise = shownDefault(variable)
    return `  ${variable.name.padEnd(width)}  ${variable.meaning}${otherwise === '' ? '' : ` [${otherwise}]`}`
  })
  return `Plant Store ${version}

usage: node src/main.ts [--help | --version]

Environment, with the default in brackets; npm start reads .env as well:

${lines.join('\n')}

SIGTERM and SIGINT drain and exit; SIGHUP reads AUTH_TOKENS_FILE again.
`
}

export function renderEnvExample(): string {
  const entries = allVariables.map((variable) => {
    const text = shownDefault(variable)
    return `# ${variable.meaning}\n# ${variable.name}=${text}\n`
  })
  return `# Copy to .env; npm start reads it if it is there. Every line below shows the default.\n\n${entries.join('\n')}`
}

/** Markdown, between two lines of its own; the README holds it as it is. */
export function renderTable(): string {
  const code = (text: string) => (text === '' ? '' : `\`${text}\``)
  const rows = allVariables.map(
    (each) => `| \`${each.name}\` | ${code(shownDefault(each))} | ${each.meaning} |`
  )
  return `| variable | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
}
