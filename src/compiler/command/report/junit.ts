/** Report as JUnit XML, for build servers: a failure for each error, and a case for each operation without one. */
import type { Report, ReportItem } from './report.ts'

export function junitReport({ tool, items, checked = [], properties = {} }: Report): string {
  const failures = items.filter(({ level, accepted }) => level === 'error' && accepted === undefined)
  const failed = new Set(failures.map(({ operation }) => operation))
  const passed = [...checked].filter((operation) => !failed.has(operation))
  const counts = `tests="${failures.length + passed.length}" failures="${failures.length}" errors="0"`
  const values = Object.entries(properties).map(
    ([name, value]) => `<property name="${name}" value="${value}"/>`
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${tool}" ${counts}>`,
    `  <testsuite name="${tool}" ${counts}>`,
    ...(values.length > 0 ? [`    <properties>${values.join('')}</properties>`] : []),
    ...failures.map((item) => failureText(tool, item)),
    ...passed.map((operation) => `    <testcase classname="${tool}" name="${escaped(operation)}"/>`),
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

function failureText(
  tool: string,
  { rule, operation, message, file, line, evidence = [] }: ReportItem
): string {
  const shown = evidence.length > 0 ? evidence : [`${file}:${line}`]
  return [
    `    <testcase classname="${tool}" name="${escaped(`${operation ?? file} ${rule}`)}">`,
    `      <failure type="${escaped(rule)}" message="${escaped(message)}">${escaped(shown.join('\n'))}</failure>`,
    '    </testcase>'
  ].join('\n')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;'
}

/** Writes characters that XML forbids (XML 1.0, section 2.2) as JSON escapes. */
function escaped(text: string): string {
  return text
    .replaceAll(
      /[\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    )
    .replaceAll(/[&<>"']/g, (character) => String(entities[character]))
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
