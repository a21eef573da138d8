/** Prints the result of a command. */
export function print({ errors, output }: { readonly errors: string; readonly output: string }): void {
  process.stderr.write(errors)
  process.stdout.write(output)
}
