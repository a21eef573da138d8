/** Writes the table of variables for `--help`, `.env.example` and docs/environment.md. */
import { type DescribedVariables, defaultOf, variablesOf } from './variables.ts'

/** @returns the names, their meanings, and their defaults as `otherwise` */
function rowsOf(project: DescribedVariables) {
  const common = variablesOf(project).map((variable) => ({
    name: variable.name,
    meaning: (project.tokens ? undefined : variable.meaningWithoutTokens) ?? variable.meaning,
    otherwise: variable.shownDefault ?? defaultOf(variable, project)
  }))
  const own = Object.entries(project.own ?? {}).map(([name, variable]) => {
    const { default: value, help } = variable
    const meaning = Object.hasOwn(variable, 'default') ? help : `${help}; required`
    return { name, meaning, otherwise: typeof value === 'object' ? '' : String(value ?? '') }
  })
  return [...common, ...own]
}

/**
 * Returns the text for `--help`.
 * @param heading the title and the version of the service
 * @param entry the file that node runs
 */
export function renderHelp(heading: string, project: DescribedVariables, entry = 'src/main.ts'): string {
  const rows = rowsOf(project)
  const width = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.map(
    ({ name, meaning, otherwise }) =>
      `  ${name.padEnd(width)}  ${meaning}${otherwise === '' ? '' : ` [${otherwise}]`}`
  )
  return `${heading}

usage: node ${entry} [--help | --version]

Environment, with the default in brackets; npm start reads .env as well:

${lines.join('\n')}

SIGTERM and SIGINT drain and exit${project.tokens ? '; SIGHUP reads AUTH_TOKENS_FILE again' : ''}.
`
}

export function renderEnvExample(project: DescribedVariables): string {
  const entries = rowsOf(project).map(
    ({ name, meaning, otherwise }) => `# ${meaning}\n# ${name}=${otherwise}\n`
  )
  return `# Copy to .env; npm start reads it if it is there. Every line below shows the default.\n\n${entries.join('\n')}`
}

/** Writes the Markdown table of docs/environment.md. */
export function renderTable(project: DescribedVariables): string {
  const code = (text: string) => (text === '' ? '' : `\`${text}\``)
  const rows = rowsOf(project).map(
    ({ name, meaning, otherwise }) => `| \`${name}\` | ${code(otherwise)} | ${meaning} |`
  )
  return `| variable | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
}
