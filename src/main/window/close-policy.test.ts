import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES, type DesktopPreferences } from '../../contract/desktop.ts';
import { createClosePolicy, type CloseChoice } from './close-policy.ts';

function closing(
  options: {
    onClose?: DesktopPreferences['onClose'];
    tray?: boolean;
    running?: number | null;
    answer?: CloseChoice;
  } = {},
) {
  const did: string[] = [];
  const preferences = { ...DEFAULT_PREFERENCES, onClose: options.onClose ?? 'ask' };
  const made = createClosePolicy({
    preferences: () => preferences,
    prefer: (onClose) => {
      preferences.onClose = onClose;
      did.push(`prefer ${onClose}`);
    },
    hasTray: () => options.tray ?? true,
    runningHere: async () => (options.running === undefined ? 0 : options.running),
    ask: async (running) => {
      did.push(`ask ${running}`);
      return options.answer ?? { choice: 'stay', remember: false };
    },
    hide: () => void did.push('hide'),
    quit: () => void did.push('quit'),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { made, did, settled };
}

test('where nothing runs, closing quits without a question', async () => {
  const { made, did, settled } = closing();
  expect(made.mayClose()).toBe(false);
  await settled();
  expect(did).toEqual(['quit']);
});

test.each([
  [{ choice: 'tray', remember: true }, ['ask 2', 'prefer tray', 'hide']],
  [{ choice: 'tray', remember: false }, ['ask 2', 'hide']],
  [{ choice: 'quit', remember: true }, ['ask 2', 'prefer quit', 'quit']],
  [{ choice: 'stay', remember: true }, ['ask 2']],
] as const)('while jobs run the user is asked: %j', async (answer, expected) => {
  const { made, did, settled } = closing({ running: 2, answer });
  expect([made.mayClose(), made.mayClose()]).toEqual([false, false]);
  await settled();
  expect(did).toEqual(expected);
});

test('where the master does not say whether jobs run, the user is asked', async () => {
  const { made, did, settled } = closing({ running: null });
  expect(made.mayClose()).toBe(false);
  await settled();
  expect(did).toEqual(['ask null']);
});

test('a remembered choice is taken', () => {
  const hidden = closing({ onClose: 'tray', running: 2 });
  expect([hidden.made.mayClose(), hidden.did]).toEqual([false, ['hide']]);
  expect(closing({ onClose: 'quit', running: 2 }).made.mayClose()).toBe(true);
});

test('without a tray, and once the app quits, the window closes', () => {
  expect(closing({ tray: false, running: 2 }).made.mayClose()).toBe(true);
  const { made } = closing({ onClose: 'tray' });
  made.quitting();
  expect(made.mayClose()).toBe(true);
});
