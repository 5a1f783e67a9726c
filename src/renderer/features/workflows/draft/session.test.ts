import { describe, expect, it } from 'vitest';
import { createDrafts, type DraftStorage } from './drafts.ts';
import { createEditorSession, isDirty } from './session.ts';

function storage(): DraftStorage {
  const map = new Map<string, string>();
  return {
    get length() {
      return map.size;
    },
    key: (i) => [...map.keys()][i] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}

function open(kept = storage()) {
  let time = 0;
  const drafts = createDrafts(kept);
  const session = createEditorSession('greet', drafts, () => ++time);
  return { session, drafts, state: () => session.store.getState(), kept };
}

describe('the editor session', () => {
  it('comes back to the draft of the version it began from', () => {
    const first = open();
    first.session.begin('one', 'aaaa');
    first.session.edit('one!');
    first.session.keep();
    const second = open(first.kept);
    second.session.begin('one', 'aaaa');
    expect(second.state()).toMatchObject({ text: 'one!', base: 'one', parent: 'aaaa', draftFrom: 2 });
    expect(isDirty(second.state())).toBe(true);
    second.session.discard();
    expect(second.state().text).toBe('one');
    expect(second.drafts.of('greet')).toEqual([]);
  });

  it('follows the head while nothing was changed, and stays where it began otherwise', () => {
    const { session, state } = open();
    session.begin('one', 'aaaa');
    session.begin('two', 'bbbb');
    expect(state()).toMatchObject({ text: 'two', parent: 'bbbb' });
    session.edit('two!');
    session.begin('three', 'cccc');
    expect(state()).toMatchObject({ text: 'two!', parent: 'bbbb' });
  });

  it('opens the version that a task failed on once, keeps the draft before it, and goes on from what is saved', () => {
    const { session, state, drafts } = open();
    session.begin('new', 'bbbb');
    session.edit('new!');
    session.debug('task', 'old', 'aaaa');
    expect(state()).toMatchObject({ text: 'old', base: 'old', parent: 'aaaa' });
    expect(drafts.load('greet', 'bbbb')?.text).toBe('new!');
    // The newest version is not taken up, neither before nor after the change was saved.
    session.begin('new', 'bbbb');
    expect(state().text).toBe('old');
    session.edit('fixed');
    session.saved('fixed', 'cccc');
    session.debug('task', 'old', 'aaaa');
    session.begin('new', 'bbbb');
    expect(state()).toMatchObject({ text: 'fixed', parent: 'cccc' });
    session.endDebugging();
    session.begin('newest', 'dddd');
    expect(state().text).toBe('newest');
  });

  it('drops the draft once it is saved or typed back, and keeps what was typed meanwhile', () => {
    const { session, state, drafts } = open();
    session.begin('one', null);
    session.edit('one!');
    session.keep();
    session.edit('one!!');
    session.saved('one!', 'aaaa');
    expect(state()).toMatchObject({ text: 'one!!', base: 'one!', parent: 'aaaa' });
    expect(drafts.of('greet').map((draft) => [draft.text, draft.parent])).toEqual([['one!!', 'aaaa']]);
    session.edit('one!');
    session.keep();
    expect(drafts.of('greet')).toEqual([]);
  });

  it('goes on over a newer version, or leaves for it and keeps the text', () => {
    const { session, state, drafts } = open();
    session.begin('one', 'aaaa');
    session.edit('mine');
    session.rebase('two', 'bbbb');
    expect(state()).toMatchObject({ text: 'mine', base: 'two', parent: 'bbbb' });
    session.leaveFor('three', 'cccc');
    expect(state()).toMatchObject({ text: 'three', parent: 'cccc' });
    expect(drafts.of('greet').map((draft) => [draft.text, draft.parent])).toEqual([['mine', 'bbbb']]);
  });

  it('takes typing and gestures back in one row, and what was thrown away', () => {
    const { session, state } = open();
    session.begin('one', null);
    session.edit('one!');
    session.edit('one!!');
    session.edit('two', 'Move nodes');
    session.discard();
    expect([session.undo(), state().text]).toEqual(['Discard changes', 'two']);
    expect([session.undo(), state().text]).toEqual(['Move nodes', 'one!!']);
    expect([session.undo(), state().text]).toEqual(['Edit text', 'one']);
    expect(session.undo()).toBeNull();
    expect([session.redo(), state().text]).toEqual(['Edit text', 'one!!']);
  });
});
