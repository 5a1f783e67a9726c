import type { Environment } from '../../contract/vocabulary.ts';
import type { MetricPoint } from '../../contract/worker-protocol.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { MASTER_MEASUREMENTS, MOST_NAME_CHARACTERS, MOST_TAGS } from '../../lib/metric-points.ts';

/** What is asked of those who know tasks and jobs; the workers that have or had them. */
export interface RunsOfWorkers {
  ofTask(taskId: string, jobId: string | null): { jobId: string; workers: readonly string[] } | null;
  ofJob(jobId: string): readonly string[];
  /** Null: there is no such job. */
  placeOf(jobId: string): { readonly workflowId: string; readonly environment: Environment | null } | null;
}

/** Sets of names (measurement, tags, fields) of one link: each is a batch of its own on its way to the store. */
const SHAPES = 1000;
/** And characters of all of these: names of a link are kept as long as it is open. */
const SHAPE_CHARACTERS = 1024 * 1024;
/** Tags that the master adds: `worker_id` and `claimed`. */
const ADDED_TAGS = 2;
/** What a point may have: the collector remembers names over all links, and the store takes no longer ones and no more tags. */
const POINT = { nameCharacters: MOST_NAME_CHARACTERS, tags: MOST_TAGS - ADDED_TAGS, fields: 256 } as const;
/** A longer text is the ID of no run. */
const ID_CHARACTERS = 100;
/** Tags that say whose run a point is of. */
const OF_RUN = ['task_id', 'job_id', 'workflow_id', 'environment'] as const;
type RunTags = Readonly<Record<(typeof OF_RUN)[number], string | undefined>>;

const NOBODYS: RunTags = { task_id: undefined, job_id: undefined, workflow_id: undefined, environment: undefined };
const KEPT = 2000;
/** What does not hold is asked again after so long: the task may have come to a worker of this token meanwhile. */
const REFUSED_MS = 1000;

/**
 * What a worker may say in points of its own: of tasks and jobs that workers of its token run or ran. What does not hold is
 * left out, and the point says so (`claimed`), so that nobody's alerts and charts are made of it. Null: a point with more
 * sets of names than a worker has use for.
 *
 * @param isOwn true for a worker of the same token
 */
export function createOwnPoints(
  runs: RunsOfWorkers,
  isOwn: (workerId: string) => boolean,
  now: () => number,
): (point: MetricPoint) => MetricPoint | null {
  const shapes = new Set<string>();
  let characters = 0;
  const known = new BoundedMap<string, { readonly tags: RunTags; readonly until: number }>(KEPT);

  function look(task: string | undefined, job: string | undefined): RunTags {
    let jobId: string | null = null;
    if (task !== undefined) {
      const found = runs.ofTask(task, job ?? null);
      jobId = found?.workers.some(isOwn) === true ? found.jobId : null;
    } else if (job !== undefined) jobId = runs.ofJob(job).some(isOwn) ? job : null;
    const place = jobId === null ? null : runs.placeOf(jobId);
    if (jobId === null || place === null) return NOBODYS;
    return {
      ...{ task_id: task, job_id: jobId },
      ...{ workflow_id: place.workflowId, environment: place.environment ?? undefined },
    };
  }

  function mayBe({ task_id: task, job_id: job }: Readonly<Record<string, string>>): RunTags {
    if (task === undefined && job === undefined) return NOBODYS;
    if ((task?.length ?? 0) > ID_CHARACTERS || (job?.length ?? 0) > ID_CHARACTERS) return NOBODYS;
    const key = `${task ?? ''} ${job ?? ''}`;
    const found = known.get(key);
    if (found && now() < found.until) return found.tags;
    const tags = look(task, job);
    known.set(key, { tags, until: tags === NOBODYS ? now() + REFUSED_MS : Number.POSITIVE_INFINITY });
    return tags;
  }

  function isKnownShape({ measurement, tags, fields }: MetricPoint): boolean {
    const shape = JSON.stringify([measurement, Object.keys(tags), Object.keys(fields)]);
    if (shapes.has(shape)) return true;
    if (shapes.size >= SHAPES || characters + shape.length > SHAPE_CHARACTERS) return false;
    characters += shape.length;
    shapes.add(shape);
    return true;
  }

  return (point) => {
    if (!isBounded(point) || !isKnownShape(point)) return null;
    const { measurement, tags } = point;
    const held = mayBe(tags);
    const claimed = OF_RUN.filter((name) => tags[name] !== undefined && tags[name] !== held[name]);
    if (claimed.length === 0 && !MASTER_MEASUREMENTS.has(measurement)) return point;
    // Without the values: each would make a series of its own.
    const kept: Record<string, string> = { ...tags, ...(claimed.length > 0 && { claimed: 'true' }) };
    for (const name of claimed) delete kept[name];
    return {
      ...point,
      measurement: MASTER_MEASUREMENTS.has(measurement) ? `claimed_${measurement}` : measurement,
      tags: kept,
    };
  };
}

function isBounded({ measurement, tags, fields }: MetricPoint): boolean {
  const [tagNames, fieldNames] = [Object.keys(tags), Object.keys(fields)];
  const isShort = (name: string): boolean => name.length <= POINT.nameCharacters;
  return (
    tagNames.length <= POINT.tags &&
    fieldNames.length <= POINT.fields &&
    isShort(measurement) &&
    tagNames.every(isShort) &&
    fieldNames.every(isShort)
  );
}
