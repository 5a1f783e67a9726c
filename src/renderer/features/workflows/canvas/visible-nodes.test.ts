import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_NODES, nextVisibleNodes } from './visible-nodes.ts';

const names = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => `n${from + i}`);

it('draws a few at once and the others in the next frames', () => {
  const first = nextVisibleNodes(NO_NODES, names(0, 100), 40);
  expect(first.late.size).toBe(60);
  const second = nextVisibleNodes(first, names(0, 100), 40);
  expect([...second.late]).toEqual(names(80, 100));
  expect(nextVisibleNodes(second, names(0, 100), 40).late.size).toBe(0);
});
it('leaves drawn what is drawn, however the canvas moves, and comes to an end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ from: fc.nat(400), count: fc.nat(300), room: fc.nat(60) }), { minLength: 1, maxLength: 10 }),
      (moves) => {
        let sight = NO_NODES;
        for (const { from, count, room } of moves) {
          const drawn = [...sight.seen].filter((id) => !sight.late.has(id));
          const ids = names(from, from + count);
          const next = nextVisibleNodes(sight, ids, room);
          expect(drawn.filter((id) => next.late.has(id))).toEqual([]);
          expect([...next.late].filter((id) => !ids.includes(id))).toEqual([]);
          sight = next;
          let frames = 0;
          for (let now = sight; now.late.size > 0; frames++) now = nextVisibleNodes(now, ids, 40);
          expect(frames).toBeLessThanOrEqual(Math.ceil(count / 40));
        }
      },
    ),
  );
});
