/** Report of the conformance check as JUnit XML, for build servers. */

import type { Finding } from '../../conformance.ts'
import { answerOf, type Reported } from './reported.ts'

export function junitReport({ report, checked }: Reported): string {
  const { findings, seed, requests } = report
  const byOperation = Map.groupBy(findings, ({ operation }) => operation)
  for (const name of checked) if (!byOperation.has(name)) byOperation.set(name, [])
  const cases = [...byOperation].flatMap(([operation, found]) => casesOf(operation, found))
  const counts = `tests="${cases.length}" failures="${findings.length}" errors="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${counts}>`,
    `  <testsuite name="conformance" ${counts}>`,
    `    <properties><property name="seed" value="${seed}"/><property name="requests" value="${requests}"/></properties>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

function casesOf(operation: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [`    <testcase classname="conformance" name="${escaped(operation)}"/>`]
  return findings.map((finding) => {
    const { check, message, curl } = finding
    return [
      `    <testcase classname="conformance" name="${escaped(`${operation} ${check}`)}">`,
      `      <failure type="${escaped(check)}" message="${escaped(message)}">${escaped(`${curl}\n${answerOf(finding)}`)}</failure>`,
      '    </testcase>'
    ].join('\n')
  })
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
