import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDetailLevels } from './detail-levels.ts';

function stage(count: number, aFrame: number) {
  const frames: (() => void)[] = [];
  const forms = createDetailLevels((run) => void frames.push(run), aFrame);
  const drawn = new Map<string, boolean>();
  for (let i = 0; i < count; i++) {
    const id = `n${i}`;
    drawn.set(id, forms.isFar(id));
    forms.subscribe(id, () => void drawn.set(id, forms.isFar(id)));
  }
  return { forms, drawn, frames, frame: () => frames.shift()?.() };
}
const far = (drawn: ReadonlyMap<string, boolean>) => [...drawn.values()].filter(Boolean).length;

it('turns a few nodes in each frame', () => {
  const { forms, drawn, frame, frames } = stage(40, 16);
  forms.turn(true);
  expect(far(drawn)).toBe(0);
  frame();
  expect(far(drawn)).toBe(16);
  frame();
  frame();
  expect(far(drawn)).toBe(40);
  expect(frames).toHaveLength(0);
});
it('gives a node that comes into sight its form at once', () => {
  const { forms, frame } = stage(40, 16);
  forms.turn(true);
  frame();
  expect(forms.isFar('new')).toBe(true);
});
it('comes to the form that was asked for last, each node drawn anew at most once for each time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.boolean(), fc.constant('frame' as const)), { maxLength: 30 }),
      fc.integer({ min: 1, max: 20 }),
      (acts, aFrame) => {
        const { forms, drawn, frame, frames } = stage(25, aFrame);
        let wanted = false;
        for (const act of acts) {
          if (act === 'frame') frame();
          else forms.turn((wanted = act));
          // What it says of a node is what is drawn.
          for (const [id, isFar] of drawn) expect(forms.isFar(id)).toBe(isFar);
          expect(frames.length).toBeLessThanOrEqual(1);
        }
        for (let i = 0; frames.length > 0; i++) {
          expect(i).toBeLessThan(Math.ceil(25 / aFrame) + 1);
          frame();
        }
        expect(far(drawn)).toBe(wanted ? 25 : 0);
      },
    ),
  );
});
it('forgets a node that is gone', () => {
  const frames: (() => void)[] = [];
  const forms = createDetailLevels((run) => void frames.push(run));
  const leave = forms.subscribe('one', () => expect.unreachable());
  forms.turn(true);
  leave();
  for (const frame of frames) frame();
  expect(forms.isFar('one')).toBe(true);
});
