/** Formats a report as an HTML page without scripts: what breaks, for whom, what to do. */
import { printable } from '@contract-first/cli/printable'
import type { Change, Report } from '../../diff.ts'
import { type Group, type Section, sectionsOf, summaryOf } from './advice.ts'

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2.breaking { color: #b3261e } h2.undecided { color: #7a5900 } h2.compatible { color: #1b6e2e }
code { font-size: 0.9em; overflow-wrap: anywhere } small { color: #666 }`

export function formatHtml(report: Report, { base }: { readonly base: string }): string {
  const title = escaped(summaryOf(report, base))
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
${sectionsOf(report).map(sectionHtml).join('')}</body>
</html>
`
}

const sectionHtml = ({ list, title, groups }: Section): string =>
  `<h2 class="${list}">${title}</h2>\n${groups.map(groupHtml).join('')}`

const groupHtml = ({ who, advice, changes }: Group): string =>
  `<h3>${who}</h3>\n${advice === '' ? '' : `<p>${advice.replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</p>\n`}<ul>\n${changes.map(lineHtml).join('')}</ul>\n`

function lineHtml({ rule, operation, message, file, line, column }: Change): string {
  const subject = operation === null || message.startsWith(operation) ? message : `${operation} ${message}`
  return `<li><code>${escaped(subject)}</code> <small>${escaped(`${file}:${line}:${column}`)} ${rule}</small></li>\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  printable(text).replaceAll(/[&<>"]/g, (character) => entities[character] as string)
