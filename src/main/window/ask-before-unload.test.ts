import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, it } from 'vitest';
import { askBeforeUnload } from './ask-before-unload.ts';

/** A window whose page wants to stay; `did` is what happened to it, and what was asked. */
function windowWithForm() {
  const did: string[] = [];
  const webContents = Object.assign(new EventEmitter(), {
    reload: () => void did.push('reload'),
    isDestroyed: () => false,
  });
  let answer = (_isLost: boolean): void => undefined;
  const leaves = askBeforeUnload(
    { webContents, isMinimized: () => false, show: () => undefined } as unknown as BrowserWindow,
    {
      isUrgent: () => false,
      onStay: () => void did.push('stay'),
      ask() {
        did.push('ask');
        return new Promise((resolve) => (answer = resolve));
      },
    },
  );
  return {
    did,
    leaves,
    /** The page is about to go, and says that it wants to stay. */
    unload: () => webContents.emit('will-prevent-unload', { preventDefault: () => void did.push('go') }),
    async answer(isLost: boolean) {
      answer(isLost);
      await new Promise(setImmediate);
    },
  };
}

it('asks once for a reload and for a quit that comes meanwhile, and does what was wanted last', async () => {
  const { did, leaves, unload, answer } = windowWithForm();
  unload();
  leaves(() => did.push('close'));
  unload();
  await answer(true);
  expect(did).toEqual(['ask', 'close']);
  unload();
  expect(did.at(-1)).toBe('go');
});

it('keeps the page from both, and asks about each again', async () => {
  const { did, leaves, unload, answer } = windowWithForm();
  unload();
  leaves(() => did.push('close'));
  unload();
  await answer(false);
  expect(did).toEqual(['ask', 'stay']);
  unload();
  await answer(true);
  expect(did.slice(2)).toEqual(['ask', 'reload']);
});
