import { t } from '../../lib/language.ts';

/** What the keys do in an element that has the focus and hears them itself: no window listener takes them. */
type ElementKeys = readonly (readonly [keys: string, label: string])[];

/** Listed where the page has not registered the keys itself. */
export const EDITOR_KEYS: ElementKeys = [
  ['mod+s', t('Save a version (editor of a workflow)')],
  ['mod+Enter', t('Send what a dialog asks for, or a try')],
];
export const TABLE_KEYS: ElementKeys = [
  ['j', t('Next row (also ↓)')],
  ['k', t('Row before (also ↑)')],
  ['→', t('Into the row, to what can be done with it; ← back')],
  ['x', t('Select the row')],
  ['Enter', t('Open the row')],
  [t('Esc'), t('Close a dialog or panel')],
  [`${t('Esc')} Tab`, t('Leave a text with code')],
];

export const CANVAS_KEYS: ElementKeys = [
  ['a', t('On the canvas: add a node after this one')],
  ['c', t('On the canvas: connect this node')],
  ['Enter', t('On the canvas: open its settings')],
  [t('Del'), t('On the canvas: take it away')],
  ['mod+d', t('On the canvas: duplicate')],
  ['mod+g', t('On the canvas: group')],
  ['mod+z', t('On the canvas: undo; with Shift redo')],
];

export const CHART_KEYS: ElementKeys = [
  ['←', t('In a chart: read the values at a time')],
  [`${t('Shift')} ←`, t('In a chart: choose a stretch of time')],
  ['Enter', t('In a chart: zoom into it')],
];
