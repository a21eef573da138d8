import t from 'tap'
import { withAncestors } from '../../../../src/compiler/compile/shapes/graph.ts'

t.test('targets, their parents and grandparents are found, through cycles too', async (t) => {
  // 0 -> 1 -> 2 -> 1, 3 -> 0, 4
  const children = [[1], [2], [1], [0], []]
  t.strictSame([...withAncestors([2], children)].sort(), [0, 1, 2, 3])
  t.strictSame([...withAncestors([4], children)], [4])
  t.strictSame([...withAncestors([], children)], [])
})
