import type { Mutation } from './mutation.ts'

/** Text of a contract in source code, files, terminals and shells. */
export const source: readonly Mutation[] = [
  {
    guarantee: 'generated files do not depend on the locale',
    file: 'src/contract/load/load.ts',
    search: 'byCodeUnits(b.path, a.path)',
    replacement: 'b.path.localeCompare(a.path)',
    test: 'compiler/compile/reproducible.test.ts'
  },
  {
    guarantee: 'a generated file of another build does not start',
    file: 'src/engine/server/build-check.ts',
    search: 'return !text.startsWith(',
    replacement: 'return !firstLine.startsWith(',
    test: 'engine/server/build-check.test.ts'
  },
  {
    guarantee: 'two builds have two ids',
    file: 'src/compiler/compile/emit/contract-module.ts',
    search: 'if (hasBanner(name)) hash.update',
    replacement: 'if (name === "") hash.update',
    test: 'engine/server/build-check.test.ts'
  },
  {
    guarantee: 'text of a contract does not end a comment',
    file: 'src/compiler/source/values.ts',
    search: ".replaceAll('*/', ",
    replacement: ".replaceAll('*//', ",
    test: 'compiler/source/text.test.ts'
  },
  {
    guarantee: 'a report of the conformance check holds no credential',
    file: 'src/tools/conformance/secrets.ts',
    search: 'text.length >= minLength',
    replacement: 'text.length > 1000',
    test: 'tools/conformance/secrets.test.ts'
  },
  {
    guarantee: 'a printed curl line reads no file',
    file: 'src/service/curl.ts',
    search: 'if (!/^[\\w .[\\]-]+$/.test(name))',
    replacement: 'if (name === "")',
    test: 'service/curl.test.ts'
  },
  {
    guarantee: 'no control character of a contract reaches the terminal',
    file: 'src/cli/printable.ts',
    search: "text.replaceAll('\\t', ' ').replaceAll(unprintable, '\\ufffd')",
    replacement: 'text',
    test: 'cli/printable.test.ts'
  }
]
