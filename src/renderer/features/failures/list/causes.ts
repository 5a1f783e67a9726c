import type { FailureCause } from '../../../../contract/failures.ts';
import { t } from '../../../../lib/language.ts';
import { formatShare } from '../../../ui/number-text.ts';

/** Shares in whole per cent; a small one that is there is not called none. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.005) return t('under {share}', { share: formatShare(0.01) });
  if (share < 1 && share > 0.995) return t('over {share}', { share: formatShare(0.99) });
  return formatShare(share);
}

/** How many of the failures: of few runs their number, else per cent. */
export const shareText = ({ failures, fewRuns }: Pick<FailureCause, 'failures' | 'fewRuns'>): string =>
  fewRuns
    ? t('{some} of {all}', { some: Math.round(failures * fewRuns.failures), all: fewRuns.failures })
    : percentText(failures);

/** 'ran on worker …9f2c' or 'had order.country = "DE"'. */
export function causeText({ kind, path, value }: Pick<FailureCause, 'kind' | 'path' | 'value'>): string {
  switch (kind) {
    case 'worker':
      return `${t('ran on worker')} …${value.slice(-8)}`;
    case 'commit':
      return `${t('ran version')} ${value.slice(0, 8)}`;
    case 'environment':
      return `${t('were in')} ${value}`;
    case 'hour':
      return t('were created from {hour} UTC, within an hour', { hour: value });
    case 'missing':
      return t('had no {path}', { path: path ?? '' });
    case 'type':
      return path === null
        ? t('had an input of type {type}', { type: value })
        : t('had {path} of type {type}', { path, type: value });
    case 'range':
      return t('had {path} {range}', { path: path ?? '', range: value });
    case 'input':
      return path === null ? t('had an input = {value}', { value }) : t('had {path} = {value}', { path, value });
  }
}

/** How sure it is: what is twice as frequent among failures, and holds for most of them, is worth looking at first. */
export const isStrong = ({ failures, successes }: Pick<FailureCause, 'failures' | 'successes'>): boolean =>
  failures >= 0.5 && failures >= successes * 2;
