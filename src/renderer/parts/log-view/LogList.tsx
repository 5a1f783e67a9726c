import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import type { LogSnapshot } from './buffer.ts';
import css from './LogList.module.css';
import { LogRow } from './LogRow.tsx';
import { useWindowed } from './use-windowed.ts';

export interface LogListProps {
  readonly label: string;
  readonly snapshot: LogSnapshot;
  readonly wrap: boolean;
  /** Words to mark in messages. */
  readonly needles: readonly string[];
  /** Lines of another query than the one that was asked for. */
  readonly old?: boolean;
  readonly hasOlder: boolean;
  readonly olderBusy: boolean;
  readonly olderError: unknown;
  loadOlder(): void;
  /** Asks for (or without) records of this value; absent where there is no query to add to. */
  onFilter?: ((field: string, value: string, negate: boolean) => void) | undefined;
  /** The reader looks at something: live lines should wait. */
  onReading(reading: boolean): void;
}

/**
 * Lines, newest on top. One stop of the Tab key: `j` and `k` or the arrows move, Enter unfolds. Older pages come by
 * themselves at the lower end.
 */
export function LogList(props: LogListProps): ReactNode {
  const { label, snapshot, wrap, needles, old = false, hasOlder, olderBusy, olderError, loadOlder, onFilter, onReading } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const base = useId();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState<number | null>(null);
  const [away, setAway] = useState(false);
  const { items, height, lastIndex, even, measure, toIndex, onScroll } = useWindowed(scroll, snapshot.length, !wrap && open.size === 0, (index) => snapshot.at(index)?.key ?? -index);

  useEffect(() => {
    if (hasOlder && !olderBusy && !olderError && lastIndex >= snapshot.length - 20 && snapshot.length > 0) loadOlder();
  }, [lastIndex, snapshot.length, hasOlder, olderBusy]);
  const reading = away || open.size > 0;
  useEffect(() => onReading(reading), [reading]);

  const indexOf = (key: number | null): number => {
    if (key === null) return -1;
    for (let i = 0; i < snapshot.length; i++) if (snapshot.at(i)?.key === key) return i;
    return -1;
  };
  const toggle = (key: number) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = indexOf(active);
    const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: snapshot.length - 1, PageDown: at + 20, PageUp: at - 20 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const index = Math.max(0, Math.min(snapshot.length - 1, to));
      setActive(snapshot.at(index)?.key ?? null);
      toIndex(index);
    } else if ((event.key === 'Enter' || event.key === ' ') && active !== null && at >= 0) {
      event.preventDefault();
      toggle(active);
    } else if (event.key === 'Escape' && open.size > 0) {
      event.preventDefault();
      setOpen(new Set());
    }
  }

  return (
    <div
      ref={scroll}
      className={css['scroll']}
      data-wrap={wrap || undefined}
      data-old={old || undefined}
      role="group"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={active !== null && items.some((item) => snapshot.at(item.index)?.key === active) ? `${base}${active}` : undefined}
      onScroll={(event) => {
        setAway(event.currentTarget.scrollTop > 4);
        onScroll(event.currentTarget);
      }}
      onKeyDown={onKeyDown}
    >
      <div className={css['inner']} style={{ height }}>
        {items.map((item) => {
          const entry = snapshot.at(item.index);
          if (!entry) return null;
          return (
            <div key={item.key} ref={even ? null : measure} data-index={item.index} data-even={even || undefined} className={css['item']} style={{ transform: `translateY(${item.start}px)` }}>
              <LogRow entry={entry} domId={`${base}${entry.key}`} open={open.has(entry.key)} active={active === entry.key} needles={needles} onToggle={toggle} onFilter={onFilter} />
            </div>
          );
        })}
      </div>
      {snapshot.length > 0 && (
        <div className={css['end']} role="status">
          {olderError ? (
            <>
              <ErrorLine error={olderError} />
              <Button size="compact-xs" variant="default" onClick={loadOlder}>
                Try again
              </Button>
            </>
          ) : olderBusy || hasOlder ? (
            'Reading older lines…'
          ) : (
            'These are all lines'
          )}
        </div>
      )}
    </div>
  );
}
