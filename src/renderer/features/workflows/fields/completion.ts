import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import { type ExpressionOffer, type Known, type Language, offersAt } from './complete.ts';

const ICONS: Readonly<Record<ExpressionOffer['kind'], string>> = {
  property: 'property',
  function: 'function',
  constant: 'constant',
  variable: 'variable',
};

/** Completion for CodeMirror. `known`: asked anew each time. Unasked it waits for a dot, a dollar or the beginning of a word. */
export function expressionCompletions(language: Language, known: () => Known): CompletionSource {
  return ({ state, pos, explicit }) => {
    const found = offersAt(language, state.doc.toString(), pos, known());
    if (!found || found.offers.length === 0) return null;
    if (!explicit && found.from === pos && state.sliceDoc(pos - 1, pos) !== '.') return null;
    return {
      from: found.from,
      options: found.offers.map((offer, index): Completion => ({
        label: offer.label,
        detail: offer.detail,
        type: ICONS[offer.kind],
        boost: offer.kind === 'function' ? -50 : -index / 10,
        ...(offer.insert === undefined ? {} : { apply: offer.insert }),
      })),
      validFor: /^[\w$]*$/,
    };
  };
}
