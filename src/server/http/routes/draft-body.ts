import type { Definition } from '../../../contract/definition.ts';
import { draftDefinition } from '../../workflows/draft.ts';

/** What of the body of a draft run says what is run. */
export interface DraftBody {
  readonly definition: Definition;
  readonly upTo?: string;
  readonly effects?: 'standIn' | 'run';
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** The definition that a draft run runs; `places`: where its nodes lie in the one that came. */
export const draftFromBody = ({
  definition,
  upTo,
  effects,
  outputs = {},
}: DraftBody): { definition: Definition; places: readonly number[] } =>
  draftDefinition(definition, { upTo: upTo ?? null, runEffects: effects === 'run', outputs });
