import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  emptyHistory,
  type History,
  MAX_CHARACTERS,
  MAX_STEPS,
  recordStep,
  NEW_STEP_AFTER_MS,
  redoStep,
  undoStep,
} from './history.ts';

it('walks back and forth over what was written, step by step', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('edit', 'undo', 'redo'), { maxLength: 60 }), (moves) => {
      let history: History = emptyHistory;
      const texts = ['0'];
      let at = 0;
      for (const [i, move] of moves.entries()) {
        if (move === 'edit') {
          history = recordStep(history, texts[at] as string, { label: `edit ${i}`, at: i });
          texts.splice(at + 1);
          texts.push(`${i + 1}`);
          at++;
          continue;
        }
        const result = (move === 'undo' ? undoStep : redoStep)(history, texts[at] as string);
        const next = at + (move === 'undo' ? -1 : 1);
        expect(result?.text).toBe(texts[next]);
        if (!result) continue;
        history = result.history;
        at = next;
      }
    }),
  );
});

it('takes typing for one step until it rests, or something else happens', () => {
  const type = (history: History, before: string, at: number) =>
    recordStep(history, before, { label: 'Edit text', kind: 'typing', at });
  let history = type(type(emptyHistory, 'a', 0), 'ab', NEW_STEP_AFTER_MS);
  expect(history.past).toHaveLength(1);
  history = type(history, 'abc', 3 * NEW_STEP_AFTER_MS);
  expect(history.past).toHaveLength(2);
  history = recordStep(history, 'abcd', { label: 'Move', at: 3 * NEW_STEP_AFTER_MS + 1 });
  history = type(history, 'moved', 3 * NEW_STEP_AFTER_MS + 2);
  expect(history.past.map((step) => step.text)).toEqual(['a', 'abc', 'abcd', 'moved']);
});

it('keeps no more than it may', () => {
  let history: History = emptyHistory;
  for (let i = 0; i < MAX_STEPS + 10; i++) history = recordStep(history, `${i}`, { label: 'Edit', at: i });
  expect([history.past.length, history.past[0]?.text]).toEqual([MAX_STEPS, '10']);
  for (let i = 0; i < 4; i++)
    history = recordStep(history, 'x'.repeat(MAX_CHARACTERS / 2 + 1), { label: 'Edit', at: i });
  expect(history.past).toHaveLength(1);
});
