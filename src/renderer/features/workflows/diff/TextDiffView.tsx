import { Box } from '@mantine/core';
import { json } from '@codemirror/lang-json';
import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../../../lib/language.ts';
import { codeTheme } from '../../../ui/code-theme.ts';
import { cspNonce } from '../../../ui/csp-nonce.ts';
import classes from './TextDiff.module.css';

export interface TextDiffProps {
  /** Accessible name. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly beforeTitle: string;
  readonly afterTitle: string;
  /** A CSS length; without it the diff is as high as its text. */
  readonly maxHeight?: string;
}

/** Beyond this many differences a faster, coarser comparison is used, so that no pair of texts stops the window. */
const SCAN_LIMIT = 1500;

export function TextDiffView({ label, before, after, beforeTitle, afterTitle, maxHeight }: TextDiffProps): ReactNode {
  const host = useRef<HTMLDivElement | null>(null);
  useEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const side = (title: string): Extension[] => [
      lineNumbers(),
      json(),
      codeTheme(),
      EditorState.readOnly.of(true),
      EditorView.lineWrapping,
      EditorView.cspNonce.of(cspNonce()),
      EditorView.contentAttributes.of({ 'aria-label': `${label}: ${title}`, tabindex: '0' }),
    ];
    const view = new MergeView({
      parent,
      a: { doc: before, extensions: side(beforeTitle) },
      b: { doc: after, extensions: side(afterTitle) },
      collapseUnchanged: { margin: 4, minSize: 8 },
      gutter: true,
      diffConfig: { scanLimit: SCAN_LIMIT, timeout: 300 },
    });
    return () => view.destroy();
  }, [label, before, after, beforeTitle, afterTitle]);

  return (
    <div className={`card ${classes.root}`} role="group" aria-label={label}>
      <div className={classes.titles}>
        <span>{beforeTitle}</span>
        <span>{afterTitle}</span>
      </div>
      {before === after && (
        <Box component="p" m={0} p={12} c="var(--ink-2)" fz="var(--text-normal)">
          {t('The two texts are identical.')}
        </Box>
      )}
      <div ref={host} className={classes.host} style={maxHeight === undefined ? {} : { maxHeight }} />
    </div>
  );
}
