import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import css from './Palette.module.css';
import { t } from '../../../lib/language.ts';
import { isOccluded } from '../../ui/is-occluded.ts';
import { useStores } from '../../stores/context.tsx';
import { type PaletteActions, type PaletteEntry, useEntries } from './palette-entries.ts';

/** Ctrl/Cmd+K: pages, pasted ids, workflows, jobs, workers, actions; all by keyboard. */
export function Palette({ opened, onClose, actions }: { opened: boolean; onClose(): void; actions: PaletteActions }) {
  const [leadsAway, setLeadsAway] = useState(false);
  return (
    // Over panels too: it is asked for from anywhere.
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={620}
      yOffset="12vh"
      centered={false}
      zIndex={300}
      // Another page takes the focus itself, but not behind a dialog, which may still ask whether to leave it.
      returnFocus={!leadsAway}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content radius="md" aria-label={t('Command palette')}>
        <Body
          onOpen={() => setLeadsAway(false)}
          onClose={(path) => {
            setLeadsAway(path !== undefined && leadsToOtherPage(path) && !isOccluded());
            onClose();
          }}
          actions={actions}
        />
      </Modal.Content>
    </Modal.Root>
  );
}

const leadsToOtherPage = (path: string): boolean =>
  new URL(path, window.location.href).pathname !== window.location.pathname;

function Body({
  onOpen,
  onClose,
  actions,
}: {
  onOpen(): void;
  onClose(path: string | undefined): void;
  actions: PaletteActions;
}) {
  const { recent } = useStores();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), 150);
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const base = useId();
  const { entries, looking } = useEntries(text.trim(), asked, actions);
  const at = Math.min(index, entries.length - 1);

  // The dialog gives it the focus a moment later, and what is typed until then would go to the page.
  useLayoutEffect(() => {
    input.current?.focus();
    onOpen();
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  function run(entry: PaletteEntry | undefined) {
    if (!entry) return;
    onClose(entry.path);
    if (entry.path !== undefined) recent.add({ label: entry.label, hint: entry.hint ?? '', path: entry.path });
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined)
      setIndex(
        Math.abs(step) > 1
          ? Math.max(0, Math.min(entries.length - 1, at + step))
          : (at + step + entries.length) % Math.max(1, entries.length),
      );
    else if (event.key === 'Enter') run(entries[at]);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <input
        ref={input}
        className={css['input']}
        role="combobox"
        aria-label={t('Page, ID, workflow or action')}
        aria-expanded
        aria-controls={`${base}list`}
        aria-activedescendant={at >= 0 ? `${base}${at}` : undefined}
        aria-autocomplete="list"
        placeholder={t('Page, ID, workflow or action')}
        value={text}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      {entries.length === 0 && (
        <div className={css['none']} role="status">
          {looking ? t('Searching…') : t('No results.')}
        </div>
      )}
      <div ref={list} className={css['list']} role="listbox" id={`${base}list`} aria-label={t('Results')} tabIndex={-1}>
        {entries.map((entry, i) => (
          <Option
            key={entry.id}
            entry={entry}
            id={`${base}${i}`}
            selected={i === at}
            heading={entries[i - 1]?.group !== entry.group}
            onHover={() => setIndex(i)}
            onRun={() => run(entry)}
          />
        ))}
      </div>
    </>
  );
}

function Option({
  entry,
  id,
  selected,
  heading,
  onHover,
  onRun,
}: {
  entry: PaletteEntry;
  id: string;
  selected: boolean;
  heading: boolean;
  onHover(): void;
  onRun(): void;
}) {
  return (
    <>
      {heading && (
        <div className={css['group']} role="presentation">
          {entry.group}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={selected}
        className={css['option']}
        onMouseMove={onHover}
        onClick={onRun}
      >
        <entry.icon size={16} aria-hidden />
        <span className="clip">{entry.label}</span>
        {entry.hint && <span className={css['hint']}>{entry.hint}</span>}
      </div>
    </>
  );
}
