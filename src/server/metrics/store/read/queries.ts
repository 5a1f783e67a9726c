import { runFlux } from '../../flux/run.ts';
import { queryMetrics } from '../../queries/points.ts';
import { metricNames, metricTags, metricTagValues } from '../../queries/names.ts';
import { querySeries } from '../../queries/series.ts';
import type { QueryEnv, QueryJob } from '../port.ts';
import { verifyStore } from './verify.ts';
import type { View } from './view.ts';

/** A query in the reader's thread: gives its answer in pages of bytes. */
type Runner = (args: never, env: QueryEnv, view: View) => Iterable<Uint8Array>;

const json = <A>(run: (view: View, env: QueryEnv, args: A) => unknown) =>
  function* (args: A, env: QueryEnv, view: View): Generator<Uint8Array> {
    yield Buffer.from(JSON.stringify(run(view, env, args)));
  };

/** By their kind. */
const RUNNERS: Readonly<Record<QueryJob['kind'], Runner>> = {
  flux: runFlux,
  metrics: json(queryMetrics),
  series: json(querySeries),
  names: json(metricNames),
  tags: json(metricTags),
  tagValues: json(metricTagValues),
  verify: (_args: never, _env: QueryEnv, view: View) => verifyStore(view),
};

export function runJob({ kind, args }: QueryJob, env: QueryEnv, view: View): Iterable<Uint8Array> {
  // The arguments belong to the kind beside them.
  return RUNNERS[kind](args as never, env, view);
}
