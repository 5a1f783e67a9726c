import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES } from '../../contract/desktop.ts';
import { createNotifications } from './notifications.ts';

test('a note opens what it speaks of, in the cluster that it came from; a kind that is not wanted is not shown', () => {
  const opened: string[] = [];
  const shown: { title: string; press(): void }[] = [];
  let supported = true;
  const preferences = { ...DEFAULT_PREFERENCES };
  const notes = createNotifications({
    supported: () => supported,
    make: ({ title }) => {
      let press = () => {};
      return { on: (_event, listener) => (press = listener), show: () => void shown.push({ title, press }) };
    },
    preferences: () => preferences,
    open: (connection, path) => void opened.push(`${connection} ${path}`),
  });
  const note = (kind: 'alert' | 'bulk') =>
    notes.show({ kind, title: kind, body: '', connection: 'cafe', path: kind === 'alert' ? '/alerts' : '/operations' });
  expect([note('alert'), note('bulk')]).toEqual([true, true]);
  shown[1]?.press();
  expect(opened).toEqual(['cafe /operations']);
  preferences.notifyBulk = false;
  expect([note('alert'), note('bulk')]).toEqual([true, false]);
  supported = false;
  expect(note('alert')).toBe(false);
  expect(shown.map(({ title }) => title)).toEqual(['alert', 'bulk', 'alert']);
});
