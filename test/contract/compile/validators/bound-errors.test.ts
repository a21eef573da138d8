/** Code that Ajv has written: errors are collected up to a bound. */
import t from 'tap'
import { boundErrors } from '../../../../src/contract/compile/validators/bound-errors.ts'

const collecting = `const err0 = {keyword: "type"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}`
const joining = `vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;`

t.test('what is collected and joined is bounded', async (t) => {
  const code = boundErrors(`"use strict";\n${collecting}\n${joining}`)
  t.match(code, 'if(vErrors.length < 1001) vErrors.push({keyword: "type"});')
  t.match(code, 'vErrors = joinErrors(vErrors, validate1.errors, 1001);')
})

t.test('code of a shape not seen so far stays as it is: right, and unbounded', async (t) => {
  const code = `"use strict";\n${collecting}\n${joining.replace('errors = vErrors.length', 'errors++')}`
  t.equal(boundErrors(code), code)
})
