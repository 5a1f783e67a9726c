import type { Found } from './find.ts';
import type { JsonDoc, JsonRow } from './doc.ts';

/** What is in sight of a tree after something was asked of it. */
export interface JsonView {
  readonly count: number;
  readonly from: number;
  readonly rows: readonly JsonRow[];
  /** Characters of the whole value. */
  readonly length: number;
  /** The line that was asked for, where one was. */
  readonly line?: number;
}
export type JsonRequest =
  | { readonly what: 'rows'; readonly from: number; readonly to: number }
  | { readonly what: 'turn'; readonly line: number; readonly open: boolean; readonly from: number; readonly to: number }
  | { readonly what: 'unfold'; readonly levels: number; readonly from: number; readonly to: number }
  | { readonly what: 'reveal'; readonly place: number; readonly around: number }
  | { readonly what: 'parent'; readonly line: number; readonly around: number }
  | { readonly what: 'find'; readonly text: string; readonly most: number }
  | { readonly what: 'text'; readonly line: number }
  | { readonly what: 'path'; readonly line: number };

export interface JsonAnswers {
  readonly rows: JsonView;
  readonly turn: JsonView;
  readonly unfold: JsonView;
  readonly reveal: JsonView;
  readonly parent: JsonView;
  readonly find: Found;
  readonly text: string;
  readonly path: readonly (string | number)[];
}

/** One question to a document; the same in the window and in its thread. */
export function answer(doc: JsonDoc, ask: JsonRequest): JsonAnswers[keyof JsonAnswers] {
  switch (ask.what) {
    case 'rows':
      return view(doc, ask.from, ask.to);
    case 'turn':
      doc.turn(ask.line, ask.open);
      return view(doc, ask.from, ask.to);
    case 'unfold':
      doc.unfold(ask.levels);
      return view(doc, ask.from, ask.to);
    case 'reveal': {
      const line = doc.reveal(ask.place);
      return { ...view(doc, line - ask.around, line + ask.around), line };
    }
    case 'parent': {
      const line = Math.max(0, doc.parentOf(ask.line));
      return { ...view(doc, line - ask.around, line + ask.around), line };
    }
    case 'find':
      return doc.find(ask.text, ask.most);
    case 'text':
      return doc.textOf(ask.line);
    case 'path':
      return doc.pathOf(ask.line);
  }
}

function view(doc: JsonDoc, from: number, to: number): JsonView {
  const first = Math.max(0, from);
  return { count: doc.count(), from: first, rows: doc.rows(first, to), length: doc.length() };
}
