import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import css from './CopyButton.module.css';

/** Puts text on the clipboard; falls back to a selection where the page has no clipboard (plain http). False: not done. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** `of`: what is copied. Where that becomes something else, nothing of it was copied yet. */
function useCopied(of: string): [state: 'idle' | 'done' | 'failed', copy: (text: string) => void] {
  const [last, setLast] = useState<{ readonly of: string; readonly state: 'done' | 'failed' } | null>(null);
  useEffect(() => {
    if (last === null) return;
    const timer = setTimeout(() => setLast(null), 1600);
    return () => clearTimeout(timer);
  }, [last]);
  return [
    last?.of === of ? last.state : 'idle',
    (text) => void copyText(text).then((done) => setLast({ of, state: done ? 'done' : 'failed' })),
  ];
}

// Made once: in a row that goes on to show another job they are not drawn again.
const copyIcon = <IconCopy size={14} aria-hidden />;
const doneIcon = <IconCheck size={14} aria-hidden />;

/** `label` names what is copied: 'Copy job id'. */
export function CopyButton({
  value,
  label,
  size = 'sm',
  bare = false,
}: {
  value: string;
  label: string;
  size?: 'xs' | 'sm' | 'md';
  /** In a long list: the style sheet draws its picture, where it is pointed at. */
  bare?: boolean;
}) {
  const [state, copy] = useCopied(value);
  const said = state === 'done' ? t('Copied') : state === 'failed' ? t('Could not copy') : label;
  return (
    <button
      type="button"
      className={css['copy']}
      data-size={size}
      data-copy
      data-bare={bare || undefined}
      data-hint={said}
      aria-label={said}
      onClick={(event) => {
        event.stopPropagation();
        event.preventDefault();
        copy(value);
      }}
    >
      {state === 'done' ? doneIcon : !bare && copyIcon}
    </button>
  );
}

/** A copy button that says in words what it copies. */
export function CopyText({ label, text }: { label: string; text: () => string }) {
  const [state, copy] = useCopied('');
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={state === 'done' ? doneIcon : copyIcon}
      onClick={() => copy(text())}
    >
      {state === 'done' ? t('Copied') : state === 'failed' ? t('Could not copy') : label}
    </Button>
  );
}
