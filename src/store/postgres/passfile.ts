/** Passwords in a file instead of URLs (https://www.postgresql.org/docs/18/libpq-pgpass.html). */

export interface Login {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/**
 * Returns the password of the first line `host:port:database:user:password` that matches; `*` matches everything.
 * @param text the lines of the file; `\\` and `\:` stand for a backslash and a colon
 */
export function passwordIn(text: string, { host, port, database, user }: Login): string | undefined {
  const wanted = [host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    const fields = [...line.matchAll(/(?:^|:)((?:[^\\:]|\\.)*)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1')
    )
    const isMatch = wanted.every((value, index) => fields[index] === '*' || fields[index] === value)
    if (isMatch && !line.startsWith('#') && fields[4] !== undefined) return fields[4]
  }
  return undefined
}
