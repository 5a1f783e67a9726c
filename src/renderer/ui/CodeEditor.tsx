import type { CompletionSource } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { lazy, Suspense } from 'react';
import css from './CodeEditor.module.css';
import { SkeletonLines } from './Skeletons.tsx';

export interface CodeDiagnostic {
  /** Offsets into the text. */
  from: number;
  to: number;
  severity: 'error' | 'warning' | 'info';
  message: string;
}
export interface CodeEditorProps {
  value: string;
  onChange?(value: string): void;
  /** Accessible name. */
  label: string;
  language?: 'json' | 'text';
  readOnly?: boolean;
  /** Pixels. */
  minHeight?: number;
  maxHeight?: number;
  /** Take the height that is left in a column. */
  fill?: boolean;
  /** Without line numbers and margins: for a field of a form. */
  bare?: boolean;
  /** Faults to mark; hand the same array until they change. */
  diagnostics?: readonly CodeDiagnostic[];
  completions?: CompletionSource;
  extensions?: Extension;
  /** Ctrl/Cmd+S. */
  onSave?(): void;
  onCreate?(view: EditorView): void;
  /** Set by `CodeEditor` itself. */
  className?: string;
}

const Core = lazy(() => import('./CodeEditorCore.tsx').then((module) => ({ default: module.CodeEditorCore })));

/** Text with highlighting, folding, search, marks and completion. CodeMirror comes when the first one is drawn. */
export function CodeEditor(props: CodeEditorProps) {
  const { minHeight, maxHeight, fill } = props;
  const sizes = {
    ...(minHeight ? { '--min': `${minHeight}px` } : {}),
    ...(maxHeight ? { '--max': `${maxHeight}px` } : {}),
  };
  return (
    <div className={`${css['box']} ${fill ? css['fill'] : ''}`} style={sizes}>
      <Suspense
        fallback={
          <div className={`${css['host']} ${css['wait']}`}>
            <SkeletonLines lines={4} />
          </div>
        }
      >
        <Core {...props} className={css['host'] ?? ''} />
      </Suspense>
    </div>
  );
}
