import { Kbd, Modal, Switch } from '@mantine/core';
import { useContext } from 'react';
import css from './ShortcutSheet.module.css';
import { t } from '../../lib/language.ts';
import { usePreferences } from '../stores/context.tsx';
import { hasKeys, SHEET, ShortcutsContext } from './shortcuts.ts';

const EDITOR_KEYS: readonly [string, string][] = [
  ['mod+s', t('Save a version (editor of a workflow)')],
  ['mod+Enter', t('Send what a dialog asks for, or a try')],
];
/** Of keys that are no character. */
const NAMES: Readonly<Record<string, string>> = { escape: t('Esc'), delete: t('Del') };

const TABLE_KEYS: readonly [string, string][] = [
  ['j', t('Next row (also ↓)')],
  ['k', t('Row before (also ↑)')],
  ['→', t('Into the row, to what can be done with it; ← back')],
  ['x', t('Select the row')],
  ['Enter', t('Open the row')],
  [t('Esc'), t('Close a dialog or panel')],
  [`${t('Esc')} Tab`, t('Leave a text with code')],
];

const CANVAS_KEYS: readonly [string, string][] = [
  ['a', t('On the canvas: add a node after this one')],
  ['c', t('On the canvas: connect this node')],
  ['Enter', t('On the canvas: open its settings')],
  [t('Del'), t('On the canvas: take it away')],
  ['mod+d', t('On the canvas: duplicate')],
  ['mod+g', t('On the canvas: group')],
  ['mod+z', t('On the canvas: undo; with Shift redo')],
];

const CHART_KEYS: readonly [string, string][] = [
  ['←', t('In a chart: read the values at a time')],
  [`${t('Shift')} ←`, t('In a chart: choose a stretch of time')],
  ['Enter', t('In a chart: zoom into it')],
];

/** Everything that the keyboard does here: what the page and the frame offer now, and what every table does. */
export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const shortcuts = useContext(ShortcutsContext);
  const seen = new Map(
    (opened ? (shortcuts?.list() ?? []) : []).filter(hasKeys).map((shortcut) => [shortcut.keys, shortcut.label]),
  );
  const others = EDITOR_KEYS.filter(([keys]) => !seen.has(keys));
  return (
    <Modal opened={opened} onClose={onClose} title={<strong>{t('Keyboard shortcuts')}</strong>} size="lg">
      <LetterKeys />
      <div
        className={css['columns']}
        role="group"
        aria-label={t('Keyboard shortcuts')}
        tabIndex={0}
        data-autofocus
        {...{ [SHEET]: '' }}
      >
        <dl className={css['list']}>
          {[...seen].map(([keys, label]) => (
            <Entry key={keys} keys={keys} label={label} />
          ))}
        </dl>
        <dl className={css['list']}>
          {[...TABLE_KEYS, ...others, ...CANVAS_KEYS, ...CHART_KEYS].map(([keys, label]) => (
            <Entry key={label} keys={keys} label={label} />
          ))}
        </dl>
      </div>
    </Modal>
  );
}

/** Whoever dictates, or whose hand slips, may want none of them. */
function LetterKeys() {
  const on = usePreferences((p) => p.letterKeys);
  const set = usePreferences((p) => p.set);
  return (
    <Switch
      mb="sm"
      label={t('Keys without Ctrl or Cmd')}
      description={t('Switched off, only the palette and what has Ctrl or Cmd is left; tables keep theirs')}
      checked={on}
      onChange={(event) => set({ letterKeys: event.currentTarget.checked })}
    />
  );
}

function Entry({ keys, label }: { keys: string; label: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {keys.split(' ').map((key) => (
          <Kbd key={key} size="xs">
            {(NAMES[key] ?? key)
              .replace(/^f\d+$/, (name) => name.toUpperCase())
              .replace('mod+', navigator.platform.startsWith('Mac') ? '⌘ ' : `${t('Ctrl')} `)}
          </Kbd>
        ))}
      </dd>
    </div>
  );
}
