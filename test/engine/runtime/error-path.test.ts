/** Paths of errors are bounded, whatever names a client sends. */
import t from 'tap'
import { boundedPath, pointerSegment } from '../../../src/engine/runtime/error-path.ts'

t.equal(pointerSegment('a~b/c'), 'a~0b~1c')
t.equal(pointerSegment('~'.repeat(1000)), '~0'.repeat(200))
t.equal(boundedPath('/a'), '/a')
t.match(boundedPath(`/first${'/a'.repeat(5000)}/last`), /^\/first(\/a)+…(\/?a)+.*\/last$/)
