/** The code of Ajv's validators, rewritten so that it collects a bounded number of errors. */
import t from 'tap'
import { boundErrors } from '../../../../../src/compiler/compile/validators/ajv/bound-errors.ts'

const collecting = `const err0 = {keyword: "type"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}`
const joining = `vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;`
const cutting = 'vErrors.length = _errs1;'

t.test('errors are added only below the bound', async (t) => {
  const code = boundErrors(`${collecting}\n${joining}\n${cutting}`)
  t.match(code, 'if(vErrors.length < 1001) vErrors.push({keyword: "type"});')
  t.match(code, 'vErrors = joinErrors(vErrors, validate1.errors, 1001);')
  t.match(code, 'if(vErrors.length > _errs1) vErrors.length = _errs1;')
})

t.test('code that joins no errors does not import the function that joins them', async (t) => {
  t.notMatch(boundErrors(collecting), 'joinErrors')
})

t.test('code that collects errors in another way fails the generation', async (t) => {
  const others = {
    'another statement after a join': joining.replace('errors = vErrors.length', 'errors++'),
    'another join': joining.replace('vErrors.concat', '[...vErrors].concat'),
    'no braces': collecting.replaceAll(/[{}]\n?(?=vErrors|else|$)/g, ''),
    'a bare push': 'vErrors.push(err0);',
    'a spread': 'vErrors = [...vErrors, err0];'
  }
  for (const [name, code] of Object.entries(others))
    t.throws(() => boundErrors(code), { message: /they would be unbounded/ }, name)
})
