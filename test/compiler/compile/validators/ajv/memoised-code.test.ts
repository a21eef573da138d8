/** The functions of recursive schemas remember their verdicts. */
import t from 'tap'
import { memoised } from '../../../../../src/compiler/compile/validators/ajv/memoised-code.ts'

const code = (marker: string, result: string) =>
  `function validate1(data, {rootData=data}={}){\n${marker}return ${result};\n}\n`

t.equal(memoised(code('', 'false')), code('', 'false'), 'a function without the mark stays as it is')
for (const result of ['false', 'errors === 0'])
  t.match(
    memoised(code('"memoised";\n', result)),
    /recall\(.*\n.*\nreturn remember\(rootData, validate1, data, parentData, parentDataProperty\);/
  )
t.throws(() => memoised('function validate1(value){\n"memoised";\nreturn false;\n}\n'), /Ajv has changed/)
