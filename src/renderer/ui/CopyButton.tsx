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

function useCopied(): [state: 'idle' | 'done' | 'failed', copy: (text: string) => void] {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1600);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, (text) => void copyText(text).then((done) => setState(done ? 'done' : 'failed'))];
}

/** `label` names what is copied: 'Copy job id'. */
export function CopyButton({ value, label, size = 'sm' }: { value: string; label: string; size?: 'xs' | 'sm' | 'md' }) {
  const [state, copy] = useCopied();
  const said = state === 'done' ? t('Copied') : state === 'failed' ? t('Could not copy') : label;
  return (
    <button
      type="button"
      className={css['copy']}
      data-size={size}
      data-hint={said}
      aria-label={said}
      onClick={(event) => {
        event.stopPropagation();
        event.preventDefault();
        copy(value);
      }}
    >
      {state === 'done' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </button>
  );
}

/** The details of a failure for a bug report. */
export function CopyDetails({ text }: { text: () => string }) {
  const [state, copy] = useCopied();
  return (
    <Button variant="subtle" color="gray" leftSection={state === 'done' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />} onClick={() => copy(text())}>
      {state === 'done' ? t('Copied') : state === 'failed' ? t('Could not copy') : t('Copy details')}
    </Button>
  );
}
