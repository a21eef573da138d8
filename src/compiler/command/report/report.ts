/** Report of what a command has found in a contract or a server. */
export interface ReportItem {
  readonly level: 'error' | 'warning' | 'note'
  /** Name of the rule that is broken: `response-body`. */
  readonly rule: string
  /** Method and path: `POST /pets`; null for the contract as a whole. */
  readonly operation: string | null
  readonly message: string
  /** File relative to the working directory. */
  readonly file: string
  /** Line and column from 1. */
  readonly line: number
  readonly column: number
  /** Texts that show the finding: a command line, its answer. */
  readonly evidence?: readonly string[]
  /** Reason of a review that has accepted the finding. */
  readonly accepted?: string
}

export interface Report {
  /** Command that reports: `conformance`. */
  readonly tool: string
  /** Sentence above the items. */
  readonly heading: string
  /** Line below the heading. */
  readonly summary?: string
  readonly items: readonly ReportItem[]
  /** Names of all rules, where they are known. */
  readonly rules?: readonly string[]
  /** Operations that were checked, also those without an item. */
  readonly checked?: Iterable<string>
  /** Numbers of the run: its seed, its requests. */
  readonly properties?: Readonly<Record<string, number>>
  /** Title and text of what stands below the items. */
  readonly appendix?: readonly [title: string, text: string]
}

/** Returns the message, with the operation that it is about. */
export const sentenceOf = ({ operation, message }: ReportItem): string =>
  operation === null || message.startsWith(operation) ? message : `${operation} ${message}`
