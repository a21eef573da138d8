/** POSIX character classes (IEEE 1003.1, section 9.3.5) as ranges of ECMA-262, for the inside of brackets. */
export const posixClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', ' \\t'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '\\x21-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x7e'],
  ['punct', '!-\\/:-@\\x5b-\\x60\\x7b-\\x7e'],
  ['space', ' \\t-\\r'],
  ['upper', 'A-Z'],
  ['word', '\\w'],
  ['xdigit', '0-9A-Fa-f']
])
