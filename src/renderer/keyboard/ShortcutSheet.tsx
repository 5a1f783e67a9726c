import { Kbd, Modal, Switch } from '@mantine/core';
import { useContext } from 'react';
import css from './ShortcutSheet.module.css';
import { t } from '../../lib/language.ts';
import { usePreferences } from '../stores/context.tsx';
import { CANVAS_KEYS, CHART_KEYS, EDITOR_KEYS, TABLE_KEYS } from './element-keys.ts';
import { SHEET } from './shortcut-registry.ts';
import { ShortcutsContext } from './use-shortcut.ts';
import { bindChecked } from '../ui/bind.ts';

/** Of keys that are no character. */
const NAMES: Readonly<Record<string, string>> = { escape: t('Esc'), delete: t('Del') };

/** Everything that the keyboard does here: what the page and the frame offer now, and what every table does. */
export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const shortcuts = useContext(ShortcutsContext);
  const seen = new Map(
    (opened ? (shortcuts?.list() ?? []) : []).flatMap(({ keys, label }) =>
      keys === null ? [] : [[keys, label] as const],
    ),
  );
  const others = [...TABLE_KEYS, ...EDITOR_KEYS].filter(([keys]) => !seen.has(keys));
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
          {[...others, ...CANVAS_KEYS, ...CHART_KEYS].map(([keys, label]) => (
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
      label={t('Single-key shortcuts')}
      description={t('If off, only the command palette and shortcuts with Ctrl or Cmd work. Table shortcuts stay on.')}
      {...bindChecked(on, (next) => set({ letterKeys: next }))}
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
