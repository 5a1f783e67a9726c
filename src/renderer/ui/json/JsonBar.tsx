import { ActionIcon, Menu, TextInput, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconCopy, IconFold, IconRoute, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { t, tn } from '../../../lib/language.ts';
import { formatBytes, formatCount } from '../Duration.tsx';
import css from '../JsonTree.module.css';
import type { JsonRow } from './doc.ts';
import type { Found } from './find.ts';
import { sizeText } from './labels.ts';
import { bindText } from '../bind.ts';

/** Places that a search remembers. */
const MOST = 10_000;
/** Typing rests so long before the text is searched. */
const REST_MS = 150;

export interface JsonBarProps {
  readonly label: string;
  readonly top: JsonRow | undefined;
  /** Bytes. */
  readonly size: number;
  /** What was done last, to be said aloud. */
  readonly said: string;
  readonly deepest: number;
  /** The line that is chosen is the whole value. */
  readonly whole: boolean;
  find(text: string, most: number, then: (found: Found) => void): void;
  onPlace(place: number): void;
  onUnfold(levels: number): void;
  onCopy(): void;
  onPath(): void;
}

/** Above a tree: what it is, search, levels, copies. */
export function JsonBar({
  label,
  top,
  size,
  said,
  deepest,
  whole,
  find,
  onPlace,
  onUnfold,
  onCopy,
  onPath,
}: JsonBarProps): ReactNode {
  const [text, setText] = useState('');
  const [found, setFound] = useState<(Found & { readonly of: string }) | null>(null);
  const [at, setAt] = useState(-1);
  useEffect(() => {
    if (text === '') return setFound(null);
    let stale = false;
    const timer = setTimeout(
      () =>
        find(text, MOST, (next) => {
          if (stale) return;
          setFound({ ...next, of: text });
          const [first] = next.places;
          setAt(first === undefined ? -1 : 0);
          if (first !== undefined) onPlace(first);
        }),
      REST_MS,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [text]);
  const places = found?.places ?? [];
  const step = (by: number) => {
    if (places.length === 0) return;
    const next = (at + by + places.length) % places.length;
    setAt(next);
    onPlace(places[next] ?? 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      setText('');
    }
  };
  const hits =
    found === null
      ? ''
      : places.length === 0
        ? t('no matches')
        : `${formatCount(at + 1)} / ${formatCount(places.length)}${found.more ? '+' : ''}`;
  const button = (name: string, Icon: typeof IconCopy, run: () => void, disabled = false) => (
    <Tooltip label={name}>
      <ActionIcon size="sm" aria-label={name} disabled={disabled} onClick={run}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <div className={css['bar']} role="toolbar" aria-label={t('Toolbar of {label}', { label })}>
      <span className={css['what']}>
        {top && top.size >= 0
          ? top.kind === 'array'
            ? t('Array, {size}', { size: sizeText(top) })
            : t('Object, {size}', { size: sizeText(top) })
          : t('Value')}{' '}
        · {formatBytes(size)}
      </span>
      <span className={`clip ${css['said']}`} role="status">
        {said}
      </span>
      <TextInput
        {...bindText(text, setText)}
        onKeyDown={onKeyDown}
        aria-label={t('Search in {label}', { label })}
        placeholder={t('Search')}
        leftSection={<IconSearch size={13} aria-hidden />}
        className={css['search'] ?? ''}
        spellCheck={false}
        autoComplete="off"
      />
      {found !== null && (
        <span
          className="numbers"
          role="status"
          aria-label={places.length === 0 ? hits : tn('{count} match', '{count} matches', places.length)}
        >
          {hits}
        </span>
      )}
      {text !== '' && (
        <>
          {button(t('Previous match'), IconChevronUp, () => step(-1), places.length === 0)}
          {button(t('Next match'), IconChevronDown, () => step(1), places.length === 0)}
        </>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="sm" aria-label={t('Collapse and expand')} data-hint={t('Collapse and expand')}>
            <IconFold size={14} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onUnfold(0)}>{t('Collapse all')}</Menu.Item>
          {[1, 2, 3, 4].map((levels) => (
            <Menu.Item key={levels} onClick={() => onUnfold(levels)}>
              {tn('Expand {count} level', 'Expand {count} levels', levels)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => onUnfold(deepest)}>{t('Expand all')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {button(t('Copy path of selected line'), IconRoute, onPath)}
      {button(whole ? t('Copy {label}', { label }) : t('Copy value of selected line'), IconCopy, onCopy)}
    </div>
  );
}
