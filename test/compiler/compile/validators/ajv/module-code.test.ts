/** Ajv's standalone code as an ES module. */
import t from 'tap'
import { formatsFile } from '../../../../../src/compiler/compile/validators/ajv/formats.ts'
import { moduleCode } from '../../../../../src/compiler/compile/validators/ajv/module-code.ts'

const rows = [
  {
    name: 'a function takes the name under which it is exported',
    given: ['export const request_A = validate1;', 'function validate1(data){validate1.errors = null;}'],
    want: ['function request_A(data){request_A.errors = null;}', 'export { request_A };']
  },
  {
    name: 'a text of the contract stays as it is',
    given: [
      'export const request_A = validate1;',
      'if(data !== "say \\"validate1\\"") validate1.errors = 1;'
    ],
    want: ['if(data !== "say \\"validate1\\"") request_A.errors = 1;', 'export { request_A };']
  },
  {
    name: 'require becomes import',
    given: ['"use strict";', 'const func5 = require("/src/runtime.ts").isInteger;'],
    want: ['import { isInteger as func5 } from "/src/runtime.ts";', 'export {  };']
  },
  {
    name: 'a format becomes an import',
    given: ['const formats0 = formats.uri;', 'const formats2 = formats["date-time"];'],
    want: [
      `import { uri as formats0 } from ${JSON.stringify(formatsFile)};`,
      `import { date_time as formats2 } from ${JSON.stringify(formatsFile)};`,
      'export {  };'
    ]
  },
  {
    name: 'a pattern becomes a literal, with the flag u where its grammar allows that',
    given: ['const pattern0 = new RegExp("^/\\\\d", "u");', 'const pattern1 = new RegExp("\\\\-", "u");'],
    want: ['const pattern0 = /^\\/\\d/u;', 'const pattern1 = /\\-/;', 'export {  };']
  },
  {
    name: 'own properties are asked for with Object.hasOwn',
    given: [
      'const func0 = Object.prototype.hasOwnProperty;',
      'if(!func0.call(data, "func0.call")) errors++;'
    ],
    want: ['if(!Object.hasOwn(data, "func0.call")) errors++;', 'export {  };']
  }
]

for (const { name, given, want } of rows)
  t.test(name, async (t) => {
    t.strictSame(moduleCode(given.join('\n')).trimEnd().split('\n'), want)
  })

t.test('an import of another shape fails the generation', async (t) => {
  for (const line of ['const a = require("b");', 'const formats1 = formats.x.y;'])
    t.throws(() => moduleCode(line), { message: 'Ajv has changed how it writes imports' }, line)
})
