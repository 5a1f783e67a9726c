import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, type Panel, showPanel } from '@codemirror/view';
import { t } from '../../lib/language.ts';

const setHint = StateEffect.define<boolean>();

function panel(): Panel {
  const dom = document.createElement('div');
  dom.className = 'cm-tab-hint';
  dom.setAttribute('role', 'status');
  dom.textContent = t('Tab indents here. Esc, then Tab leaves the text.');
  return { dom };
}

const hint = StateField.define<boolean>({
  create: () => false,
  update: (on, { effects }) => effects.reduce((now, effect) => (effect.is(setHint) ? effect.value : now), on),
  provide: (field) => showPanel.from(field, (on) => (on ? panel : null)),
});

/** Says how a keyboard leaves the editor, once somebody presses Tab in it, which indents. */
export const tabHint = (): Extension => [
  hint,
  // Observers hear of the key also where the keymap takes it.
  EditorView.domEventObservers({
    keydown(event, view) {
      if (event.key === 'Tab' && !view.state.readOnly && !view.state.field(hint)) view.dispatch({ effects: setHint.of(true) });
    },
    blur(_event, view) {
      if (view.state.field(hint)) view.dispatch({ effects: setHint.of(false) });
    },
  }),
  EditorView.baseTheme({ '.cm-tab-hint': { padding: '3px 10px', fontFamily: 'var(--font-ui)', fontSize: '12px', color: 'var(--ink-2)' } }),
];
