import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours come from the tokens, so that one theme serves light and dark. */
const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface-1)', color: 'var(--ink)', fontSize: 'var(--text-small)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--ink-3)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--focus) 6%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-3)', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--focus) 28%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 25%, transparent)',
    outline: 'none',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--focus) 16%, transparent)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface-1)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: '5px',
    boxShadow: '0 6px 18px rgb(0 0 0 / 18%)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-bg)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--ink)' },
  '.cm-panels .cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface-1)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-panels .cm-textfield': {
    backgroundColor: 'var(--surface-1)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--surface-3)', border: 'none', color: 'var(--ink-2)' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--tone-fail)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--tone-warn)' },
});

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.special(tags.variableName)], color: 'var(--code-number)' },
  { tag: tags.regexp, color: 'var(--code-string)' },
  { tag: [tags.bool, tags.null, tags.keyword], color: 'var(--code-atom)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace, tags.punctuation], color: 'var(--code-punct)' },
]);

/** The console's look for every CodeMirror view. */
export const codeTheme = (): Extension => [look, syntaxHighlighting(highlight)];
