/** Writes the table of variables for `--help`, `.env.example` and docs/environment.md. */
import { allVariables, type Defaults, defaultOf, type Variable } from './variables.ts'

const shownDefault = (variable: Variable<unknown>, defaults: Defaults): string =>
  variable.shownDefault ?? defaultOf(variable, defaults)

/** @param heading the title and the version of the service */
export function renderHelp(heading: string, defaults: Defaults): string {
  const width = Math.max(...allVariables.map(({ name }) => name.length))
  const lines = allVariables.map((variable) => {
    const otherwise = shownDefault(variable, defaults)
    return `  ${variable.name.padEnd(width)}  ${variable.meaning}${otherwise === '' ? '' : ` [${otherwise}]`}`
  })
  return `${heading}

usage: node src/main.ts [--help | --version]

Environment, with the default in brackets; npm start reads .env as well:

${lines.join('\n')}

SIGTERM and SIGINT drain and exit; SIGHUP reads AUTH_TOKENS_FILE again.
`
}

export function renderEnvExample(defaults: Defaults): string {
  const entries = allVariables.map((variable) => {
    const text = shownDefault(variable, defaults)
    return `# ${variable.meaning}\n# ${variable.name}=${text}\n`
  })
  return `# Copy to .env; npm start reads it if it is there. Every line below shows the default.\n\n${entries.join('\n')}`
}

/** Writes a Markdown table, which docs/environment.md holds unchanged. */
export function renderTable(defaults: Defaults): string {
  const code = (text: string) => (text === '' ? '' : `\`${text}\``)
  const rows = allVariables.map(
    (each) => `| \`${each.name}\` | ${code(shownDefault(each, defaults))} | ${each.meaning} |`
  )
  return `| variable | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
}
