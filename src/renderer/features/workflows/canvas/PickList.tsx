import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import classes from './Pick.module.css';
import { nodeStyle } from '../node-styles.ts';
import { bindText } from '../../../ui/bind.ts';

export interface PickItem {
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  /** More of it, while the pointer rests there. */
  readonly hint?: string;
  /** Type of node whose icon it has. */
  readonly type: string;
  /** Why it cannot be chosen now; null: it can. */
  readonly why: string | null;
}

export interface PickListProps {
  /** Accessible name. */
  readonly label: string;
  readonly placeholder: string;
  readonly picks: readonly PickItem[];
  readonly onPick: (key: string) => void;
  readonly onDrag?: (event: DragEvent, key: string) => void;
  readonly autoFocus?: boolean;
}

/** Nobody looks through more: what is sought is typed. */
const SHOWN = 60;

/** Those that are called so first, then those that are told of so. */
function matching(picks: readonly PickItem[], needle: string): PickItem[] {
  const rank = ({ label, detail, hint = '' }: PickItem): number =>
    label.toLowerCase().startsWith(needle)
      ? 0
      : label.toLowerCase().includes(needle)
        ? 1
        : `${detail} ${hint}`.toLowerCase().includes(needle)
          ? 2
          : 3;
  return picks.filter((pick) => rank(pick) < 3).sort((a, b) => rank(a) - rank(b));
}

/** A list to choose from by typing, arrows and Enter, or by a click. */
export function PickList({ label, placeholder, picks, onPick, onDrag, autoFocus = false }: PickListProps): ReactNode {
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [place, setPlace] = useState<number | null>(null);
  const needle = wanted.trim().toLowerCase();
  const found = matching(picks, needle);
  const shown = found.slice(0, SHOWN);
  // At first what can be chosen.
  const at = Math.min(
    place ??
      Math.max(
        0,
        shown.findIndex(({ why }) => why === null),
      ),
    shown.length - 1,
  );
  const choose = (pick: PickItem | undefined) => pick && pick.why === null && onPick(pick.key);
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setPlace(Math.max(0, Math.min(shown.length - 1, at + step)));
    else if (event.key === 'Enter') choose(shown[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes['pick']}>
      <TextInput
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[at] ? `${id}-${shown[at].key}` : undefined}
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        {...bindText(wanted, (text) => (setWanted(text), setPlace(null)))}
        data-autofocus={autoFocus || undefined}
        onKeyDown={keys}
      />
      <div role="listbox" id={`${id}-list`} aria-label={label} className={classes['list']} tabIndex={-1}>
        {shown.map((pick, i) => {
          const { icon: Icon, kind } = nodeStyle(pick.type);
          return (
            <div
              key={pick.key}
              id={`${id}-${pick.key}`}
              role="option"
              aria-selected={i === at}
              aria-disabled={pick.why !== null}
              className={classes['row']}
              data-hint={pick.why ?? pick.hint ?? pick.detail}
              data-kind={kind}
              draggable={onDrag !== undefined && pick.why === null}
              onDragStart={(event) => onDrag?.(event, pick.key)}
              onClick={() => choose(pick)}
              ref={(row) => void (i === at && place !== null && row?.scrollIntoView({ block: 'nearest' }))}
            >
              <span className={classes['tile']}>
                <Icon size={16} aria-hidden="true" />
              </span>
              <span className={classes['words']}>
                <span className={`clip ${classes['label']}`}>{pick.label}</span>
                <span className={classes['detail']}>{pick.why ?? pick.detail}</span>
              </span>
            </div>
          );
        })}
        {found.length === 0 && <p className={classes['none']}>{t('No matches.')}</p>}
      </div>
      {found.length > shown.length && (
        <p className={classes['none']} role="status">
          {tn('{count} more: type to search.', '{count} more: type to search.', found.length - shown.length)}
        </p>
      )}
    </div>
  );
}
