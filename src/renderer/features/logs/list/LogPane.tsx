import { Button, Stack } from '@mantine/core';
import { IconArrowDown, IconCopy, IconFileText } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LogRecord } from '../../../../contract/logs.ts';
import { t, tn } from '../../../../lib/language.ts';
import { storageLocationText } from '../../../stores/desktop.ts';
import type { LogFilters } from '../../../api/logs.ts';
import { useShortcut } from '../../../keyboard/use-shortcut.ts';
import { searchedWords } from '../query/edit-query.ts';
import { copyText } from '../../../ui/CopyButton.tsx';
import { formatCount, formatDuration } from '../../../ui/Duration.tsx';
import { DamageLine } from '../../../ui/DamageLine.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorLine, ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { toastSuccess, toastError } from '../../../ui/toasts.tsx';
import type { ColourBy } from './record-hue.ts';
import { ContextPanel } from './ContextPanel.tsx';
import { COPY_LINES, type CopyFormat, textOf } from './copy.ts';
import { FindBar, type FindText } from './FindBar.tsx';
import { SLOW_MS } from './follow.ts';
import { LogList } from './LogList.tsx';
import css from './LogPane.module.css';
import type { Highlights } from './highlight.ts';
import { Pins } from './Pins.tsx';
import { selectionSize, selectionRange, type Selection } from './selection.ts';
import { useFind } from './use-find.ts';
import type { LogsState } from './use-logs.ts';

export interface LogPaneProps {
  readonly label: string;
  readonly logs: LogsState;
  readonly filters: LogFilters;
  readonly live: boolean;
  readonly wrap: boolean;
  readonly columns?: readonly string[];
  readonly colour?: ColourBy;
  /** Held by hand: what comes is counted, and nothing moves. */
  readonly paused?: boolean;
  onResume?(): void;
  /** Lines that match in all, where that is known. */
  readonly total?: number | null;
  readonly onFilter?: (field: string, value: string, negate: boolean) => void;
  readonly onColumn?: (field: string) => void;
  /** What is said where nothing matches. */
  readonly empty: ReactNode;
}

const NONE: readonly string[] = [];
/** Older lines are asked for when so few are left above what is drawn. */
const AHEAD = 40;
const PINS = 50;
const rest = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Lines with all of their states, the find bar, pinned lines, and what is said about them. */
export function LogPane(props: LogPaneProps): ReactNode {
  const {
    label,
    logs,
    filters,
    live,
    wrap,
    columns = NONE,
    colour = 'level',
    paused = false,
    onResume,
    total = null,
    onFilter,
    onColumn,
    empty,
  } = props;
  const { buffer, snapshot, phase, error, hasRead, older, loadOlder } = logs;
  const [frozen, setFrozen] = useState<number | null>(null);
  useEffect(() => setFrozen(paused ? buffer.bounds().end : null), [paused, buffer]);
  const end = frozen === null ? snapshot.end : Math.max(snapshot.first, Math.min(frozen, snapshot.end));
  const [place, setPlace] = useState({ atEnd: true, from: 0 });
  const seen = useRef({ end: 0, missed: 0 });
  if (place.atEnd && frozen === null) seen.current = { end: snapshot.end, missed: snapshot.missed };
  const missedSince = snapshot.missed - seen.current.missed;
  const news = Math.max(0, snapshot.end - (frozen ?? seen.current.end)) + Math.max(0, missedSince);
  const toEnd = useRef<() => void>(() => {});
  const [selection, setSelection] = useState<Selection | null>(null);
  const [pins, setPins] = useState<ReadonlyMap<number, LogRecord>>(new Map());
  const [context, setContext] = useState<LogRecord | null>(null);
  const pinned = useMemo(() => new Set(pins.keys()), [pins]);
  useEffect(() => setPins(new Map()), [buffer]);

  const [find, setFind] = useState<FindText | null>(null);
  const [asked, setAsked] = useState(0);
  const [goTo, setGoTo] = useState<{ readonly number: number } | null>(null);
  const state = useFind(
    buffer,
    snapshot,
    end,
    useMemo(() => (find === null ? null : { ...find, columns }), [find, columns]),
  );
  const at = goTo === null ? -1 : state.found.indexOf(goTo.number);
  const isMatch = (number: number) => {
    const index = state.found.indexOf(number);
    return index < state.found.count && state.found.at(index) === number;
  };
  const step = (by: 1 | -1) => {
    const { count } = state.found;
    if (count === 0) return;
    const from = goTo === null ? (by === 1 ? place.from : end) : goTo.number + (by === 1 ? 1 : 0);
    const index = state.found.indexOf(from) + (by === 1 ? 0 : -1);
    setGoTo({ number: state.found.at((index + count) % count) });
  };
  useShortcut('mod+f', t('Search log lines'), () => {
    setFind((old) => old ?? { text: '', matchCase: false, regex: false });
    setAsked((n) => n + 1);
  });

  const needles = useMemo(() => searchedWords(filters.query ?? ''), [filters.query]);
  const { pattern } = state;
  const marks = useMemo<Highlights>(() => ({ needles, find: pattern }), [needles, pattern]);
  const onPlace = useCallback(
    (atEnd: boolean, from: number) =>
      setPlace((old) => (old.atEnd === atEnd && old.from === from ? old : { atEnd, from })),
    [],
  );
  // What is read is not let go; what comes then is counted.
  useEffect(() => buffer.hold(place.atEnd && !paused ? null : place.from), [buffer, place, paused]);
  useEffect(() => {
    if (
      older === 'more' &&
      snapshot.end > snapshot.first &&
      !(place.atEnd && live) &&
      place.from - snapshot.first < AHEAD
    )
      loadOlder();
  }, [older, place, snapshot.first]);

  const copy = (what: Selection, format: CopyFormat = 'text') => {
    const [from, to] = selectionRange(what);
    void textOf(buffer.record, from, to, format, rest).then(async (text) => {
      const count = Math.min(to - from + 1, COPY_LINES);
      if (await copyText(text))
        toastSuccess(
          tn('Copied {count} line', 'Copied {count} lines', count),
          count < to - from + 1 ? t('Only the first lines were copied. Use Export for more.') : undefined,
        );
      else toastError(t('Could not copy the lines'), new Error('The browser refuses the clipboard.'));
    });
  };
  const toLines = () =>
    document
      .querySelector<HTMLElement>(`[role="grid"][aria-label="${CSS.escape(label)}"]`)
      ?.focus({ preventScroll: true });
  const pin = (number: number) =>
    setPins((old) => {
      const next = new Map(old);
      if (!next.delete(number)) next.set(number, buffer.record(number));
      return new Map([...next].slice(-PINS));
    });
  const resume = () => {
    onResume?.();
    if (missedSince > 0) logs.reload();
    else toEnd.current();
  };

  if (!hasRead) {
    if (phase === 'failed') return <ErrorState what={t('Could not load logs')} error={error} onRetry={logs.reload} />;
    return (
      <div className={`card ${css['blank']}`}>
        <SkeletonLines lines={12} />
      </div>
    );
  }
  const held = end - snapshot.first;
  const waits = news > 0 && (paused || !place.atEnd);
  return (
    <div className={css['pane']}>
      {phase === 'failed' && <StaleBanner error={error} updatedAt={logs.updatedAt} onRetry={logs.reload} />}
      <DamageLine warnings={logs.warnings} />
      {find !== null && (
        <FindBar
          value={find}
          state={state}
          at={at < state.found.count ? at : -1}
          asked={asked}
          onChange={(next) => {
            setFind(next);
            setGoTo(null);
          }}
          onStep={step}
          onClose={() => {
            setFind(null);
            toLines();
          }}
        />
      )}
      <Pins pins={pins} onGo={(number) => setGoTo({ number })} onRemove={(number) => (toLines(), pin(number))} />
      <Stack gap={0} pos="relative" flex="1" mih={160}>
        {held === 0 ? (
          <div className={`card ${css['blank']}`}>
            {empty ?? <EmptyState icon={IconFileText} title={t('No matching lines')} />}
          </div>
        ) : (
          <LogList
            label={label}
            buffer={buffer}
            first={snapshot.first}
            end={end}
            wrap={wrap}
            columns={columns}
            colour={colour}
            marks={marks}
            isFound={isMatch}
            goTo={goTo}
            pinned={pinned}
            old={phase !== 'ready'}
            onFilter={onFilter}
            onColumn={onColumn}
            onPin={pin}
            onContext={(number) => setContext(buffer.record(number))}
            onCopy={copy}
            onSelection={setSelection}
            onPlace={onPlace}
            toEndRef={toEnd}
          />
        )}
        {waits && (
          <Button
            className={css['news']}
            size="compact-sm"
            leftSection={<IconArrowDown size={14} aria-hidden />}
            onClick={resume}
          >
            {tn('{count} new line', '{count} new lines', news)}
          </Button>
        )}
      </Stack>
      <div className={css['foot']}>
        <span role="status">
          {held === 0
            ? ''
            : total !== null && total > held
              ? t('Last {held} of {total} lines', { held: formatCount(held), total: formatCount(total) })
              : tn('Last {count} line', 'Last {count} lines', held)}
        </span>
        {older === 'more' && held > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={loadOlder}>
            {t('Load older')}
          </Button>
        )}
        {older === 'busy' && <span>{t('Loading older lines…')}</span>}
        {older === 'none' && held > 0 && <span>{t('No older lines')}</span>}
        {older === 'full' && <span>{t('The view is full. Select an earlier time range to see older lines.')}</span>}
        {older === 'failed' && (
          <>
            <ErrorLine error={logs.olderError} />
            <Button size="compact-xs" variant="default" onClick={loadOlder}>
              {t('Try again')}
            </Button>
          </>
        )}
        {selection !== null && selectionSize(selection) > 1 && (
          <>
            <span role="status">
              {t('{selection} lines selected', { selection: formatCount(selectionSize(selection)) })}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconCopy size={13} aria-hidden />}
              onClick={() => copy(selection)}
            >
              {t('Copy as text')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => copy(selection, 'ndjson')}>
              {t('Copy as JSON lines')}
            </Button>
          </>
        )}
        {snapshot.missed > 0 && (
          <span role="note">
            {t('{missed} lines arrived too fast to be shown here; they are in the log store', {
              missed: formatCount(snapshot.missed),
            })}
          </span>
        )}
        {logs.tail === 'slow' && (
          <span role="note">
            {t(
              'The limit of live log views {here} is reached. This view refreshes every {count} s until another one is closed or hidden.',
              { here: storageLocationText(), count: SLOW_MS / 1000 },
            )}
          </span>
        )}
        {logs.gap && (
          <>
            <span role="note">{t('Some lines that arrived before the stream opened are not shown')}</span>
            <Button size="compact-xs" variant="default" onClick={logs.reload}>
              {t('Search again')}
            </Button>
          </>
        )}
        {live && logs.lag !== null && (
          <span data-right data-hint={t('Delay between writing the latest line and its arrival here')}>
            {logs.lag < 0 ? t("The sender's clock is ahead") : t('{lag} lag', { lag: formatDuration(logs.lag) })}
          </span>
        )}
      </div>
      <ContextPanel record={context} onClose={() => setContext(null)} />
    </div>
  );
}
