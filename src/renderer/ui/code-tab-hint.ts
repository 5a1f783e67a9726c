import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, type Panel, showPanel } from '@codemirror/view';
import { t } from '../../lib/language.ts';

const setHint = StateEffect.define<boolean>();
const setOwn = StateEffect.define<boolean>();
const toggled = (effect: typeof setHint, first: boolean) => ({
  create: () => first,
  update: (on: boolean, { effects }: { readonly effects: readonly StateEffect<unknown>[] }) =>
    effects.reduce((now, one) => (one.is(effect) ? one.value : now), on),
});

function panel(): Panel {
  const dom = document.createElement('div');
  dom.className = 'cm-tab-hint';
  dom.setAttribute('role', 'status');
  dom.textContent = t('Tab indents. Press Esc, then Tab to leave the editor.');
  return { dom };
}

const hint = StateField.define<boolean>({
  ...toggled(setHint, false),
  provide: (field) => showPanel.from(field, (on) => (on ? panel : null)),
});

/**
 * Whether the next Escape is the editor's. A dialog would close with the first one otherwise, and what was written be gone: it takes the second one
 * in a row. Mantine's overlays look for the attribute.
 */
const own = StateField.define<boolean>({
  ...toggled(setOwn, true),
  provide: (field) =>
    EditorView.contentAttributes.compute([field, EditorState.readOnly], (state): Record<string, string> =>
      state.field(field) && !state.readOnly ? { 'data-mantine-stop-propagation': 'true' } : {},
    ),
});

/** Says how a keyboard leaves the editor, once somebody presses Tab in it, which indents. */
export const tabHint = (): Extension => [
  hint,
  own,
  // Observers hear of the key also where the keymap takes it.
  EditorView.domEventObservers({
    keydown({ key }, view) {
      if (key === 'Tab' && !view.state.readOnly && !view.state.field(hint))
        view.dispatch({ effects: setHint.of(true) });
      if (view.state.field(own) === (key === 'Escape')) view.dispatch({ effects: setOwn.of(key !== 'Escape') });
    },
    blur(_event, view) {
      if (view.state.field(hint)) view.dispatch({ effects: setHint.of(false) });
    },
    focus(_event, view) {
      if (!view.state.field(own)) view.dispatch({ effects: setOwn.of(true) });
    },
  }),
  EditorView.baseTheme({
    '.cm-tab-hint': {
      padding: '3px 10px',
      fontFamily: 'var(--font-ui)',
      fontSize: 'var(--text-small)',
      color: 'var(--ink-2)',
    },
  }),
];
