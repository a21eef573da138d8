/** A request before it becomes bytes: the values of its parameters and its body. */
import type { Subject, SubjectBody } from './subject.ts'

/** The kind of id that a request creates; each request gets one of its own (fresh-ids.ts). */
export type IdKind = 'plain' | 'highest' | 'lowest' | 'beyond' | 'wrong'

export interface DraftBody {
  readonly of: SubjectBody
  readonly value: unknown
}

/** A body as sent. */
export interface Message {
  readonly contentType: string | undefined
  readonly bytes: Buffer | undefined
}

export interface Draft {
  readonly subject: Subject
  /** Values in the order of the parameters; undefined for one that is left out. */
  readonly values: readonly unknown[]
  readonly body?: DraftBody | undefined
  /** Changes the message before it is sent: malformed, of another media type, or missing. */
  readonly spoil?: ((message: Message) => Message) | undefined
  /** Kind of id to create; ids stay as they are when absent. */
  readonly id?: IdKind | undefined
}
