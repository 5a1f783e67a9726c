import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createShortcutRegistry } from './shortcut-registry.ts';

/** A window that keeps its listeners, and a page without dialogs; keys come as a browser hands them on. */
type Listener = (event: KeyboardEvent) => void;
const listeners: { readonly name: string; readonly listener: Listener }[] = [];
const page = {
  addEventListener: (name: string, listener: Listener) => void listeners.push({ name, listener }),
  removeEventListener: () => undefined,
} as unknown as Window;
class FakeElement {
  readonly matching: string;
  constructor(matching = '') {
    this.matching = matching;
  }
  closest(selector: string) {
    return this.matching !== '' && selector.includes(this.matching) ? this : null;
  }
}
beforeEach(() => {
  listeners.length = 0;
  vi.stubGlobal('Element', FakeElement);
  vi.stubGlobal('document', { querySelectorAll: () => [] });
});
afterEach(() => vi.unstubAllGlobals());

function rig(letters = true) {
  let now = 0;
  const ran: string[] = [];
  const shortcuts = createShortcutRegistry(
    () => now,
    () => letters,
  );
  shortcuts.listen(page);
  for (const keys of ['mod+k', '?', 'c', 'g j', 'j'])
    shortcuts.add({ id: keys, keys, label: keys, scope: 'page', run: () => ran.push(keys) });
  const press = (
    key: string,
    over: Partial<Record<'ctrlKey' | 'altKey' | 'isComposing' | 'repeat', boolean>> & { in?: string } = {},
    kind: 'keydown' | 'pointerdown' = 'keydown',
  ) => {
    const event = {
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      isComposing: false,
      repeat: false,
      defaultPrevented: false,
      ...over,
      target: new FakeElement(over.in),
      preventDefault: vi.fn<() => void>(),
      stopPropagation: vi.fn<() => void>(),
    };
    event.preventDefault.mockImplementation(() => void (event.defaultPrevented = true));
    for (const { name, listener } of listeners) if (name === kind) listener(event as unknown as KeyboardEvent);
    return event;
  };
  return { ran, press, shortcuts, wait: (ms: number) => (now += ms) };
}

describe('keys', () => {
  it('do what they are for, one after the other too, and the browser is told', () => {
    const { ran, press } = rig();
    expect(press('k', { ctrlKey: true }).preventDefault).toHaveBeenCalled();
    press('c');
    press('g');
    press('j');
    expect(ran).toEqual(['mod+k', 'c', 'g j']);
  });
  it('are those of a dialog while one is open, also the one that closes it', () => {
    const { ran, press } = rig();
    const open = [{ querySelector: () => null }];
    vi.stubGlobal('document', { querySelectorAll: () => open.splice(0) });
    press('c');
    expect(ran).toEqual([]);
    press('c');
    expect(ran).toEqual(['c']);
  });
  it("are the page's before those of the frame, whichever was drawn first", () => {
    const { ran, press, shortcuts } = rig();
    shortcuts.add({ id: 't', keys: 't', label: 'Follow', scope: 'page', run: () => ran.push('follow') });
    shortcuts.add({ id: 't', keys: 't', label: 'Focus the table', scope: 'frame', run: () => ran.push('table') });
    press('t');
    expect(ran).toEqual(['follow']);
    expect(
      shortcuts
        .list()
        .filter(({ keys }) => keys === 't')
        .map(({ label }) => label),
    ).toEqual(['Follow']);
  });
  it('of a sequence are forgotten after a moment', () => {
    const { ran, press, wait } = rig();
    press('g');
    wait(1000);
    press('j');
    expect(ran).toEqual(['j']);
  });
  it('are letters while one types, composes or holds Alt; with Ctrl they work there too', () => {
    const { ran, press } = rig();
    for (const field of ['textarea', 'select', '.cm-editor', '[contenteditable="true"]']) press('c', { in: field });
    press('c', { isComposing: true });
    press('c', { altKey: true });
    expect(ran).toEqual([]);
    press('k', { ctrlKey: true, in: 'textarea' });
    expect(ran).toEqual(['mod+k']);
  });
  it('that nobody has are left to the browser', () => {
    const { press } = rig();
    for (const key of ['w', 't', 'n', 'l', 'c'])
      expect(press(key, { ctrlKey: true }).preventDefault).not.toHaveBeenCalled();
  });
  it('without Ctrl can be switched off', () => {
    const { ran, press } = rig(false);
    press('c');
    press('?');
    press('k', { ctrlKey: true });
    expect(ran).toEqual(['mod+k']);
  });
});

describe('a command that a page will offer', () => {
  const command = (label: string, run: () => void) => ({
    id: `command:${label}`,
    keys: null,
    label,
    scope: 'page' as const,
    run,
  });
  const offered = () => new Promise((resolve) => setTimeout(resolve));

  it('runs once, when the page offers it', async () => {
    const { ran, shortcuts } = rig();
    shortcuts.runOnceOffered('New rule');
    shortcuts.add(command('New silence', () => ran.push('silence')));
    const remove = shortcuts.add(command('New rule', () => ran.push('rule')));
    await offered();
    expect(ran).toEqual(['rule']);
    remove();
    shortcuts.add(command('New rule', () => ran.push('rule')));
    await offered();
    expect(ran).toEqual(['rule']);
  });

  it('does not run late', async () => {
    const { ran, shortcuts, wait } = rig();
    shortcuts.runOnceOffered('New rule');
    wait(30_000);
    shortcuts.add(command('New rule', () => ran.push('late')));
    await offered();
    expect(ran).toEqual([]);
  });

  it('does not run after something else was asked for', async () => {
    const { ran, press, shortcuts } = rig();
    shortcuts.runOnceOffered('New rule');
    press('c');
    shortcuts.add(command('New rule', () => ran.push('rule')));
    await offered();
    expect(ran).toEqual(['c']);
  });

  it('does not run once a key or the pointer was pressed after it', async () => {
    const { ran, press, shortcuts } = rig();
    for (const kind of ['keydown', 'pointerdown'] as const) {
      shortcuts.runOnceOffered('New rule');
      press('Tab', {}, kind);
      shortcuts.add(command('New rule', () => ran.push(kind)));
      await offered();
    }
    expect(ran).toEqual([]);
    // The key that asked for it is still held down.
    shortcuts.runOnceOffered('New rule');
    press('Enter', { repeat: true });
    shortcuts.add(command('New rule', () => ran.push('rule')));
    await offered();
    expect(ran).toEqual(['rule']);
  });
});
