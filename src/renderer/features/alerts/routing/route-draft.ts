import { isRecord } from '../../../../lib/is-record.ts';
import { errorMessage } from '../../../../lib/errors.ts';
import type { Inhibition, PolicyRoute } from '../../../../contract/alert-channels.ts';
import { t } from '../../../../lib/language.ts';
import { matchersIn, matcherText } from '../shared/labels.ts';

/** A route as its form holds it; what the form has no field for (routes within it, times of its own) goes along untouched. */
export interface RouteDraft {
  readonly key: number;
  readonly matchers: string;
  readonly channels: string[];
  readonly goOn: boolean;
  /** How many routes are within it. */
  readonly inner: number;
  readonly rest: Omit<PolicyRoute, 'matchers' | 'channels' | 'continue'>;
  /** It was added here, and was not saved. */
  readonly isNew: boolean;
}

export interface InhibitionDraft {
  readonly key: number;
  readonly source: string;
  readonly target: string;
  readonly equal: string[];
  /** As of a route. */
  readonly isNew: boolean;
}

// Keys tell the forms apart while they are moved; they are never sent.
let keys = 0;
const linesOf = (matchers: PolicyRoute['matchers']): string => matchers.map(matcherText).join('\n');

const FIRST_MATCHER = 'severity="critical"';
export const newRoute = (): RouteDraft => ({
  key: keys++,
  matchers: FIRST_MATCHER,
  channels: [],
  goOn: false,
  inner: 0,
  rest: {},
  isNew: true,
});
export const newInhibition = (): InhibitionDraft => ({
  key: keys++,
  source: '',
  target: '',
  equal: [],
  isNew: true,
});

/** Nothing was entered in it since it was added. */
export const isBlankRoute = ({ isNew, matchers, channels, goOn }: RouteDraft): boolean =>
  isNew && matchers === FIRST_MATCHER && channels.length === 0 && !goOn;
export const isBlankInhibition = ({ isNew, source, target, equal }: InhibitionDraft): boolean =>
  isNew && source === '' && target === '' && equal.length === 0;

export const routeDrafts = (routes: readonly PolicyRoute[]): RouteDraft[] =>
  routes.map(({ matchers, channels, continue: goOn, ...rest }) => ({
    key: keys++,
    matchers: linesOf(matchers),
    channels: [...(channels ?? [])],
    goOn: goOn ?? false,
    inner: rest.routes?.length ?? 0,
    rest,
    isNew: false,
  }));
export const inhibitionDrafts = (inhibitions: readonly Inhibition[]): InhibitionDraft[] =>
  inhibitions.map(({ source, target, equal }) => ({
    key: keys++,
    source: linesOf(source),
    target: linesOf(target),
    equal: [...equal],
    isNew: false,
  }));

/** As the API takes them; null where a line is no matcher or an inhibition lacks a side. */
export function routesFromDrafts(drafts: readonly RouteDraft[]): PolicyRoute[] | null {
  const routes = drafts.map(({ matchers, channels, goOn, rest }): PolicyRoute | null => {
    const found = matchersIn(matchers);
    return found === null
      ? null
      : { matchers: found, ...(channels.length > 0 ? { channels } : {}), ...(goOn ? { continue: true } : {}), ...rest };
  });
  return routes.every((route) => route !== null) ? routes : null;
}

export function inhibitionsFromDrafts(drafts: readonly InhibitionDraft[]): Inhibition[] | null {
  const found = drafts.map(({ source, target, equal }): Inhibition | null => {
    const [from, to] = [matchersIn(source), matchersIn(target)];
    return from === null || to === null || from.length === 0 || to.length === 0
      ? null
      : { source: from, target: to, equal };
  });
  return found.every((one) => one !== null) ? found : null;
}

/** The two lists in a JSON text. Throws an `Error` with words for people where it is none. */
export function parsePolicyText(text: string): { routes: PolicyRoute[]; inhibitions: Inhibition[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(t('Routes and inhibitions are not valid JSON: {fault}', { fault: errorMessage(error) }), {
      cause: error,
    });
  }
  const { routes = [], inhibitions = [] } = isRecord(value) ? value : {};
  if (!Array.isArray(routes) || !Array.isArray(inhibitions))
    throw new Error(t('Expected an object with the lists "routes" and "inhibitions".'));
  return { routes, inhibitions };
}
