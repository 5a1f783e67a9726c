import { Type, type TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { errorMessage } from '../../../lib/errors.ts';
import { AuditSchema } from '../../../contract/access.ts';
import { FailureDetailSchema, FailureGroupSchema } from '../../../contract/failures.ts';
import { JobSchema, JobFailureSchema, JobGraphSchema } from '../../../contract/jobs.ts';
import { LIMIT_BOUNDS } from '../../../contract/limits.ts';
import { LogSearchSchema, LogHitsSchema, LogContextSchema } from '../../../contract/logs.ts';
import { MetricsSchema, MetricSeriesSchema } from '../../../contract/metrics.ts';
import { Json, Nullable, PageOf, Time } from '../../../contract/shapes.ts';
import { TaskSchema } from '../../../contract/tasks.ts';
import { WorkerSchema } from '../../../contract/workers.ts';
import { WorkflowSchema, CommitDetailSchema, PublicationSchema } from '../../../contract/workflows.ts';
import { BundleFault } from './read.ts';

/** What the pages rely on in the answers of a bundle: the shapes that a master's answers have. */
export const SHAPES = {
  job: JobSchema,
  jobs: PageOf(JobSchema),
  graph: JobGraphSchema,
  output: Type.Object({ output: Json, error: Nullable(JobFailureSchema) }),
  task: TaskSchema,
  tasks: PageOf(TaskSchema),
  workflow: WorkflowSchema,
  commit: CommitDetailSchema,
  publications: PageOf(PublicationSchema),
  published: Type.Array(PublicationSchema),
  audit: PageOf(AuditSchema),
  worker: WorkerSchema,
  workers: PageOf(WorkerSchema),
  failure: FailureDetailSchema,
  failures: PageOf(FailureGroupSchema),
  search: LogSearchSchema,
  hits: LogHitsSchema,
  context: LogContextSchema,
  metrics: MetricsSchema,
  series: MetricSeriesSchema,
} as const satisfies Record<string, TSchema>;

/** No master takes JSON that lies deeper; what shows it goes down as deep as it does. */
const DEPTH = LIMIT_BOUNDS.jsonDepth[1] + 50;
/** The latest moment that a date of JavaScript can be. */
const LATEST = 8.64e15;

/** Throws `BundleFault` where a text is no JSON of that shape; null: any JSON. `what` says where it stands. */
export function assertShape(text: string, schema: TSchema | null, what: string): void {
  if (deeperThan(text, DEPTH)) throw damaged(what, `lies deeper than ${DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(what, errorMessage(error));
  }
  if (schema === null) return;
  if (!Check(schema, value)) {
    const [, errors] = Errors(schema, value);
    const [worst] = errors;
    throw damaged(what, worst ? `${worst.instancePath || 'it'} ${worst.message}` : 'is of another shape');
  }
  const odd = oddTime(schema, value, '');
  if (odd !== null) throw damaged(what, `${odd} is no time`);
}

const damaged = (what: string, why: string): BundleFault => new BundleFault('damaged', `${what}: ${why}`);

interface Shape {
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Pointer to what is to be a time and is none: the check of shapes takes any text for one. */
function oddTime(shape: Shape, value: unknown, at: string): string | null {
  for (const one of shape.anyOf ?? []) {
    const odd = oddTime(one, value, at);
    if (odd !== null) return odd;
  }
  if (typeof value === 'string')
    return (shape.format === 'date-time' || shape.description === (Time as Shape).description) &&
      Number.isNaN(Date.parse(value))
      ? at
      : null;
  if (value === null || typeof value !== 'object') return null;
  const { items } = shape;
  if (Array.isArray(value)) return items ? first(value, (inner, i) => oddTime(items, inner, `${at}/${i}`)) : null;
  return first(Object.entries(shape.properties ?? {}), ([name, inner]) => {
    const member = (value as Record<string, unknown>)[name];
    // Of charts: milliseconds.
    if (name === 'times' && Array.isArray(member))
      return member.some((ms) => Math.abs(Number(ms)) > LATEST) ? `${at}/${name}` : null;
    return oddTime(inner, member, `${at}/${name}`);
  });
}

function first<T>(all: readonly T[], find: (one: T, i: number) => string | null): string | null {
  for (const [i, one] of all.entries()) {
    const found = find(one, i);
    if (found !== null) return found;
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
