import type { Impact, ImpactSide } from '../../../contract/workflows.ts';

/** Fewer finished jobs than these on a side say nothing. */
const LEAST = 10;
/** Two failure rates differ where the odds of chance are below 1 in 100 (two-proportion z-test) … */
const LEAST_Z = 2.58;
/** … and by at least this much. */
const LEAST_DIFFERENCE = 0.01;
/** A p95 this many times as long, and this many milliseconds longer, is another one. */
const SLOWER = 1.5;
const SLOWER_MS = 50;

type Numbers = Pick<ImpactSide, 'failed' | 'finished' | 'failureRate' | 'p95Ms'>;

/** What changed with a publication: failures first, then durations. */
export function judgePublish(before: Numbers, after: Numbers): Pick<Impact, 'verdict' | 'message'> {
  if (after.finished < LEAST || before.finished < LEAST)
    return {
      verdict: 'unclear',
      message: `too few jobs to say: ${before.finished} finished before, ${after.finished} after`,
    };
  const [was, is] = [before.failed / before.finished, after.failed / after.finished];
  const rates = `${percent(was)} of jobs failed before, ${percent(is)} after`;
  if (Math.abs(is - was) >= LEAST_DIFFERENCE && Math.abs(zOf(before, after)) >= LEAST_Z)
    return is > was
      ? { verdict: 'worse', message: `more jobs fail: ${rates}` }
      : { verdict: 'better', message: `fewer jobs fail: ${rates}` };
  const [slow, slower] = [before.p95Ms ?? 0, after.p95Ms ?? 0];
  const times = `95 of 100 jobs took at most ${duration(slow)} before, ${duration(slower)} after`;
  if (slower >= slow * SLOWER && slower - slow >= SLOWER_MS)
    return { verdict: 'worse', message: `jobs are slower: ${times}` };
  if (slow >= slower * SLOWER && slow - slower >= SLOWER_MS)
    return { verdict: 'better', message: `jobs are quicker: ${times}` };
  return { verdict: 'same', message: `${rates}; ${times}` };
}

function zOf(before: Numbers, after: Numbers): number {
  const together = (before.failed + after.failed) / (before.finished + after.finished);
  const spread = Math.sqrt(together * (1 - together) * (1 / before.finished + 1 / after.finished));
  return spread === 0 ? 0 : (after.failed / after.finished - before.failed / before.finished) / spread;
}

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
