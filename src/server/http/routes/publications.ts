import { invalidAt } from '../../../lib/fault.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, type App } from '../core/route.ts';

/** What was published when, and what it changed. */
export function publicationRoutes(app: App): void {
  const { workflows, jobs } = app.services;
  route(app, 'publications.list', ({ params, query }) => workflows.publications(params.id, query));
  route(app, 'publications.impact', ({ params, query: { window, ...query }, reply }) =>
    jobs.impacts(params.id, { ...query, windowMs: windowOf(window ?? '1h') }, disconnectSignal(reply)),
  );
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_DAYS = 7;

function windowOf(text: string): number {
  const ms = Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0);
  if (ms <= MAX_DAYS * 86_400_000) return ms;
  const message = `must be at most ${MAX_DAYS}d; got ${text}`;
  throw invalidAt('/window', `window ${message}`, message);
}
