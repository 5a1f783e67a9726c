import { StreamLanguage, type StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

/** Where a line of JSONata goes on inside something. */
interface State {
  /** A comment, or the quote that a text or name began with. */
  inside: 'comment' | '"' | "'" | '`' | null;
}

const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'in', 'function', 'true', 'false', 'null']);
const ATOMS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

function token(stream: StringStream, state: State): string | null {
  if (state.inside !== null) return finish(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match('/*')) return ((state.inside = 'comment'), finish(stream, state));
  const quote = stream.peek();
  if (quote === '"' || quote === "'" || quote === '`') {
    stream.next();
    state.inside = quote;
    return finish(stream, state);
  }
  if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^\$[A-Za-z_]\w*(?=\s*\()/)) return 'variableName.function';
  if (stream.match(/^\$\$?\w*/)) return 'variableName.special';
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word) return ATOMS.has(word[0]) ? 'bool' : WORDS.has(word[0]) ? 'keyword' : 'propertyName';
  stream.next();
  return 'punctuation';
}

function finish(stream: StringStream, state: State): string {
  if (state.inside === 'comment') {
    if (stream.skipTo('*/')) {
      stream.match('*/');
      state.inside = null;
    } else stream.skipToEnd();
    return 'comment';
  }
  const style = state.inside === '`' ? 'propertyName' : 'string';
  for (let char = stream.next(); char !== undefined; char = stream.next()) {
    if (char === '\\' && state.inside !== '`') stream.next();
    else if (char === state.inside) return ((state.inside = null), style);
  }
  return style;
}

/** JSONata as far as colours, brackets and comments need it. */
export const jsonata = (): Extension =>
  StreamLanguage.define<State>({
    name: 'jsonata',
    startState: () => ({ inside: null }),
    copyState: (state) => ({ ...state }),
    token,
    languageData: {
      commentTokens: { block: { open: '/*', close: '*/' } },
      closeBrackets: { brackets: ['(', '[', '{', '"', "'", '`'] },
    },
  });

/** A text with `{{ JSONata }}`: what stands in the braces is coloured as an expression. */
export const templateText = (): Extension =>
  StreamLanguage.define<State & { open: boolean }>({
    name: 'template',
    startState: () => ({ inside: null, open: false }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (state.open) {
        if (state.inside === null && stream.match('}}')) return ((state.open = false), 'keyword');
        return token(stream, state);
      }
      if (stream.match('{{')) return ((state.open = true), 'keyword');
      if (!stream.skipTo('{{')) stream.skipToEnd();
      return null;
    },
  });
