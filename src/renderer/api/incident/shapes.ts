import { Type, type TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import * as api from '../../../contract/api.ts';
import { FailureDetailSchema, FailureGroupSchema, JobGraphSchema } from '../../../contract/api-engine.ts';
import { LogContextSchema } from '../../../contract/api-logs.ts';
import { MetricSeriesSchema } from '../../../contract/api-metrics.ts';
import { LIMIT_BOUNDS } from '../../../contract/limit-bounds.ts';
import { Json, Nullable, PageOf } from '../../../contract/shapes.ts';
import { BundleFault } from './read.ts';

/** What the pages rely on in the answers of a bundle: the shapes that a master's answers have. */
export const SHAPES = {
  job: api.JobSchema,
  jobs: PageOf(api.JobSchema),
  graph: JobGraphSchema,
  output: Type.Object({ output: Json, error: Nullable(api.JobFailureSchema) }),
  task: api.TaskSchema,
  tasks: PageOf(api.TaskSchema),
  workflow: api.WorkflowSchema,
  commit: api.CommitDetailSchema,
  publications: PageOf(api.PublicationSchema),
  published: Type.Array(api.PublicationSchema),
  audit: PageOf(api.AuditSchema),
  worker: api.WorkerSchema,
  workers: PageOf(api.WorkerSchema),
  failure: FailureDetailSchema,
  failures: PageOf(FailureGroupSchema),
  search: api.LogSearchSchema,
  hits: api.LogHitsSchema,
  context: LogContextSchema,
  metrics: api.MetricsSchema,
  series: MetricSeriesSchema,
} as const satisfies Record<string, TSchema>;

/** No master takes JSON that lies deeper; what shows it goes down as deep as it does. */
const DEPTH = LIMIT_BOUNDS.jsonDepth[1] + 50;
/** What is a time by its name, and where names are anybody's. */
const TIMES = /(?:At|^at|^from|^to|^timestamp)$/;
const ANYBODYS: ReadonlySet<string> = new Set(['input', 'output', 'definition', 'labels', 'filters', 'tags', 'records', 'before', 'after']);
/** The latest moment that a date of JavaScript can be. */
const LATEST = 8.64e15;

/** Throws `BundleFault` where a text is no JSON of that shape; null: any JSON. `what` says where it stands. */
export function assertShape(text: string, schema: TSchema | null, what: string): void {
  if (deeperThan(text, DEPTH)) throw damaged(what, `lies deeper than ${DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(what, (error as Error).message);
  }
  if (schema === null) return;
  if (!Check(schema, value)) {
    const [, errors] = Errors(schema, value);
    const [first] = errors;
    throw damaged(what, first ? `${first.instancePath || 'it'} ${first.message}` : 'is of another shape');
  }
  const odd = oddTime(value, '');
  if (odd !== null) throw damaged(what, `${odd} is no time`);
}

const damaged = (what: string, why: string): BundleFault => new BundleFault('damaged', `${what}: ${why}`);

/** Pointer to a member that by its name is a time and is none. */
function oddTime(value: unknown, at: string): string | null {
  if (value === null || typeof value !== 'object') return null;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') {
      if (TIMES.test(name) && Number.isNaN(Date.parse(inner))) return `${at}/${name}`;
    } else if (name === 'times' && Array.isArray(inner)) {
      if (inner.some((ms) => Math.abs(ms as number) > LATEST)) return `${at}/${name}`;
    } else if (!ANYBODYS.has(name)) {
      const odd = oddTime(inner, `${at}/${name}`);
      if (odd !== null) return odd;
    }
  }
  return null;
}

/** True where brackets outside of strings lie deeper. */
function deeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
