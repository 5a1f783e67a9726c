import type { Definition } from '../../contract/definition.ts';
import type { PreparedDefinition } from '../heavy/port.ts';
import { draftDefinition } from '../workflows/draft.ts';

/** What of the body of a draft run says what is run. */
export interface DraftBody {
  readonly definition: Definition;
  readonly upTo?: string;
  readonly effects?: 'standIn' | 'run';
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** The definition that a draft run runs, as it is kept; `places`: where its nodes lie in the one that came. */
export function prepareDraft({ definition, upTo, effects, outputs = {} }: DraftBody, prepare: (definition: Definition) => PreparedDefinition): { prepared: PreparedDefinition; places: readonly number[] } {
  const draft = draftDefinition(definition, { upTo: upTo ?? null, runEffects: effects === 'run', outputs });
  return { prepared: prepare(draft.definition), places: draft.places };
}
