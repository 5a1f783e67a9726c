import { t } from '../../lib/language.ts';

/** What the keys do in an element that has the focus and hears them itself: no window listener takes them. */
type ElementKeys = readonly (readonly [keys: string, label: string])[];

/** Listed where the page has not registered the keys itself. */
export const EDITOR_KEYS: ElementKeys = [
  ['mod+s', t('Save a version (builder)')],
  ['mod+Enter', t('Submit the dialog, or send a test call')],
];
export const TABLE_KEYS: ElementKeys = [
  ['j', t('Next row (also ↓)')],
  ['k', t('Previous row (also ↑)')],
  ['→', t('Go to the actions of the row; ← back')],
  ['x', t('Select the row')],
  ['mod+a', t('Select the rows in view; again: all that match')],
  ['Enter', t('Open the row')],
  [t('Esc'), t('Close a dialog or panel')],
  [`${t('Esc')} Tab`, t('Leave a code editor')],
];

export const CANVAS_KEYS: ElementKeys = [
  ['a', t('Canvas: add a node after this one')],
  ['c', t('Canvas: connect this node')],
  ['Enter', t('Canvas: open node settings')],
  [t('Del'), t('Canvas: delete')],
  ['mod+d', t('Canvas: duplicate')],
  ['mod+g', t('Canvas: group')],
  ['mod+z', t('Canvas: undo, with Shift redo')],
];

export const CHART_KEYS: ElementKeys = [
  ['←', t('Chart: move the cursor')],
  [`${t('Shift')} ←`, t('Chart: select a time range')],
  ['Enter', t('Chart: zoom to the selection')],
];
