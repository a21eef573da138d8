/** Writes a report in the formats that other programs read. */
import type { Format } from './formats.ts'
import { githubReport } from './github.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import type { Report } from './report.ts'
import { sarifReport } from './sarif.ts'

export const reportFormats: Readonly<Record<Exclude<Format, 'text' | 'json'>, (report: Report) => string>> = {
  markdown: markdownReport,
  github: githubReport,
  sarif: sarifReport,
  junit: junitReport
}
