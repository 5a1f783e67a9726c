import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippet,
} from '@codemirror/autocomplete';
import { completeDefinition, type KnownNames, type Offer } from '../definition/complete.ts';

const ICONS: Readonly<Record<Offer['kind'], string>> = {
  property: 'property',
  value: 'constant',
  type: 'type',
  node: 'class',
  snippet: 'text',
};

/** Completion of a definition for CodeMirror. Unasked it stays silent until something of a word or text stands there. `names`: what the master knows now. */
export const definitionCompletions =
  (names: () => KnownNames): CompletionSource =>
  (context) =>
    completionsAt(context, names());

function completionsAt(context: CompletionContext, names: KnownNames): CompletionResult | null {
  const found = completeDefinition(context.state.doc.toString(), context.pos, names);
  if (found === null) return null;
  if (!context.explicit && found.from === context.pos) return null;
  const typed = context.state.sliceDoc(found.from, context.pos).replace(/^"/, '');
  const options = matching(found.offers, typed).map((offer): Completion => ({
    label: offer.label,
    detail: offer.detail,
    type: ICONS[offer.kind],
    boost: offer.rank,
    apply: snippet(offer.insert),
  }));
  // The quotes around what is typed belong to the text that is replaced, so CodeMirror cannot filter by it.
  return options.length === 0 ? null : { from: found.from, to: found.to, options, filter: false };
}

/** Offers that begin with what is typed first, then those that hold it. */
export function matching(offers: readonly Offer[], typed: string): Offer[] {
  const wanted = typed.replace(/"$/, '').toLowerCase();
  const score = (offer: Offer): number =>
    offer.label.toLowerCase().startsWith(wanted) ? 2 : offer.label.toLowerCase().includes(wanted) ? 1 : 0;
  // A finished value is no filter: whoever asks there wants to see the others.
  const whole = offers.some((offer) => offer.label === typed.replace(/"$/, ''));
  return offers
    .map((offer, index) => ({ offer, index, score: whole ? 1 : score(offer) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || b.offer.rank - a.offer.rank || a.index - b.index)
    .map((entry) => entry.offer);
}
