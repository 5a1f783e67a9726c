import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { copyText } from './CopyButton.tsx';
import type { JsonView } from './json/answer.ts';
import { MAX_DEPTH, type JsonRow, MAX_DRAWN_CHARACTERS } from './json/doc.ts';
import { JsonBar } from './json/JsonBar.tsx';
import { pathText } from './json/path.ts';
import { sizeText } from './json/labels.ts';
import { useJson } from './json/use-json.ts';
import css from './JsonTree.module.css';
import { useLongScroll } from './use-long-scroll.ts';
import { SkeletonLines } from './Skeletons.tsx';

interface Shown {
  /** Accessible name, such as 'Output'. */
  label: string;
  /** Levels that start open. */
  openDepth?: number;
  /** Pixels, or a CSS length. */
  maxHeight?: number | string;
}
export type JsonTreeProps = Shown &
  (
    | { value: unknown }
    | {
        /** JSON text, or its UTF-8 bytes. */ source: string | ArrayBuffer;
        /** The member of the text's object that is shown alone. */ member?: string;
      }
  );

const ROW = 20;
/** Lines around a place that is jumped to. */
const AROUND = 80;

/**
 * JSON to unfold, search and copy from, shown to the letter. Only lines in sight are drawn, and the text is walked over in a
 * thread where it is large, so that tens of megabytes stay quick.
 */
export function JsonTree(props: JsonTreeProps): ReactNode {
  const { label, openDepth = 2, maxHeight = 420 } = props;
  const value = 'value' in props ? props.value : undefined;
  const given = 'source' in props ? props.source : undefined;
  const source = useMemo(() => given ?? JSON.stringify(value) ?? 'null', [given, value]);
  const json = useJson(source, openDepth, 'member' in props ? props.member : undefined);
  if (json.fault !== null) return <p role="alert">{t('Could not parse the JSON: {fault}', { fault: json.fault })}</p>;
  if (json.view === null) return <SkeletonLines lines={6} />;
  return (
    <Tree
      key={json.view.length}
      json={json}
      view={json.view}
      label={label}
      maxHeight={maxHeight}
      size={typeof source === 'string' ? source.length : source.byteLength}
    />
  );
}

function Tree({
  json,
  view,
  label,
  maxHeight,
  size,
}: {
  json: ReturnType<typeof useJson>;
  view: JsonView;
  label: string;
  maxHeight: number | string;
  size: number;
}): ReactNode {
  const [active, setActive] = useState(0);
  const [said, setSaid] = useState('');
  const scrollRef = useRef<HTMLDivElement>(null);
  const base = useId();
  const long = useLongScroll({ scrollRef, count: view.count, rowHeight: ROW, around: 12 });
  const sight = { from: long.first, to: long.last };
  const missing = sight.from < view.from || sight.to > Math.min(view.count, view.from + view.rows.length);
  useEffect(() => {
    if (missing) json.show({ what: 'rows', from: sight.from - 40, to: sight.to + 40 });
  }, [missing, sight.from, sight.to, json.show]);

  const rowAt = (line: number): JsonRow | undefined => view.rows[line - view.from];
  const turn = (line: number, open: boolean) => {
    const row = rowAt(line);
    if (row !== undefined && row.size > 0) json.show({ what: 'turn', line, open, from: sight.from, to: sight.to + 40 });
  };
  function go(line: number) {
    const next = Math.max(0, Math.min(view.count - 1, line));
    setActive(next);
    long.reveal(next);
  }
  const jump = (to: JsonView) => {
    const line = to.line ?? 0;
    setActive(line);
    // The height of the list is another one now; the place is taken once it is drawn.
    requestAnimationFrame(() => long.reveal(line));
  };
  const copied = (words: string, text: string) =>
    void copyText(text).then((done) => setSaid(done ? words : t('Could not copy')));
  const fail = (fault: string) => setSaid(fault);
  const copyValue = (line: number) =>
    json.handle.ask({ what: 'text', line }, (text) => copied(t('Value copied'), text), fail);
  const copyPath = (line: number) =>
    json.handle.ask(
      { what: 'path', line },
      (path) => copied(t('Path copied: {path}', { path: pathText(path) }), pathText(path)),
      fail,
    );

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.target !== event.currentTarget) return;
    const row = rowAt(active);
    if (
      (event.ctrlKey || event.metaKey) &&
      event.key.toLowerCase() === 'c' &&
      window.getSelection()?.type !== 'Range'
    ) {
      event.preventDefault();
      (event.shiftKey ? copyPath : copyValue)(active);
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + 20),
      PageUp: () => go(active - 20),
      Home: () => go(0),
      End: () => go(view.count - 1),
      ArrowRight: () => (row && row.size > 0 && !row.open ? turn(active, true) : go(active + 1)),
      ArrowLeft: () =>
        row?.open ? turn(active, false) : json.show({ what: 'parent', line: active, around: AROUND }, jump),
      Enter: () => row && turn(active, !row.open),
      ' ': () => row && turn(active, !row.open),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }

  const top = rowAt(0);
  return (
    <div className={`card ${css['box']}`}>
      <JsonBar
        label={label}
        top={top}
        size={size}
        said={said}
        find={(text, most, then) => json.handle.ask({ what: 'find', text, most }, then, fail)}
        onPlace={(place) => json.show({ what: 'reveal', place, around: AROUND }, jump)}
        onUnfold={(levels) => {
          setActive(0);
          json.show({ what: 'unfold', levels, from: 0, to: AROUND }, () => requestAnimationFrame(() => long.reveal(0)));
        }}
        deepest={MAX_DEPTH}
        onCopy={() => copyValue(active)}
        onPath={() => copyPath(active)}
        whole={active === 0}
      />
      <div
        ref={scrollRef}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={rowAt(active) && `${base}${active}`}
        className={css['scroll']}
        style={{ maxHeight, height: view.count * ROW + 8 }}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" className={css['inner']} style={{ height: long.track }}>
          <div role="presentation" ref={long.layerRef}>
            {view.rows.map((row, i) => {
              const line = view.from + i;
              if (line < sight.from || line >= sight.to) return null;
              return (
                <div
                  key={line}
                  id={`${base}${line}`}
                  role="treeitem"
                  aria-level={row.depth + 1}
                  aria-expanded={row.size > 0 ? row.open : undefined}
                  aria-selected={line === active}
                  data-active={line === active || undefined}
                  className={css['row']}
                  style={{ '--depth': row.depth, transform: `translateY(${long.topOf(line)}px)` }}
                  onClick={() => setActive(line)}
                >
                  <Line row={row} onTurn={() => turn(line, !row.open)} />
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function Line({ row, onTurn }: { row: JsonRow; onTurn(): void }): ReactNode {
  const list = row.kind === 'array';
  return (
    <>
      <span className={css['fold']} onClick={onTurn} aria-hidden>
        {row.size > 0 ? (row.open ? '▾' : '▸') : ' '}
      </span>
      {row.name !== null && (
        <span className={typeof row.name === 'number' ? css['index'] : css['name']}>{row.name}: </span>
      )}
      {row.size >= 0 ? (
        <span className={css['note']} onDoubleClick={onTurn}>
          {list ? '[' : '{'}
          {row.size > 0 ? ` ${sizeText(row)} ` : ''}
          {list ? ']' : '}'}
        </span>
      ) : (
        <span className={css['text']} data-kind={row.kind}>
          {row.length > MAX_DRAWN_CHARACTERS
            ? t('{text}… ({count} characters)', { text: row.text, count: row.length })
            : row.text}
        </span>
      )}
    </>
  );
}
