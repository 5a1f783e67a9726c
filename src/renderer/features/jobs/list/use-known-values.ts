import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parseJson } from '../../../../lib/json.ts';
import { pathText } from '../../../../lib/job-query/field-path.ts';
import { completeJobQuery } from '../../../../lib/job-query/complete.ts';
import type { QueryField } from '../../../../lib/job-query/fields.ts';
import { jobInputQuery, jobsQuery } from '../../../api/jobs.ts';
import { workersQuery } from '../../../api/workers.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import type { KnownValues } from './suggest-query.ts';

/** Newest jobs whose labels are offered, and how many of them have their inputs read. */
const JOBS = 100;
const READ_INPUTS = 3;
const MOST_BYTES = 256 * 1024;
const MOST_PATHS = 200;
const VALUE_CHARACTERS = 60;

/** What there is to complete the line with at the caret. Nothing is read before it is needed. */
export function useKnownValues(
  line: string,
  caret: number,
  { open, workflow }: { open: boolean; workflow: string | undefined },
): KnownValues {
  const { offer, typed } = completeJobQuery(line, caret);
  const field = offer.kind === 'fields' ? null : offer.field;
  const workflows = useQuery({
    ...workflowsQuery({ size: 50, sort: 'id,asc', q: typed === '' ? undefined : typed }),
    enabled: open && field === 'workflow',
  });
  const workers = useQuery({ ...workersQuery({ page: 0, size: JOBS }), enabled: open && field === 'worker' });
  const recent = useQuery({
    ...jobsQuery({ page: 0, size: JOBS, sort: 'createdAt,desc', workflowId: workflow }),
    enabled: open && (field === 'input' || field === 'label' || field === 'externalId' || field === 'node'),
  });
  const jobs = recent.data?.items;
  // One of each workflow tells more than several of the same.
  const sample = useMemo(
    () => [...new Map(jobs?.map((job) => [job.workflowId, job.id])).values()].slice(0, READ_INPUTS),
    [jobs],
  );
  const inputs = useQueries({
    queries: sample.map((id) => ({ ...jobInputQuery(id, 0), enabled: open && field === 'input', retry: false })),
    combine: (results) => results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  });
  return useMemo(() => {
    const labels = new Map<string, readonly string[]>();
    for (const job of jobs ?? []) for (const [name, value] of Object.entries(job.labels)) add(labels, name, value);
    const paths = new Map<string, readonly string[]>();
    for (const bytes of inputs) addPaths(paths, bytes);
    const values = new Map<QueryField, readonly string[]>([
      ['workflow', workflows.data?.items.map(({ id }) => id) ?? []],
      ['worker', workers.data?.items.map(({ id }) => id) ?? []],
      ['externalId', some(jobs?.map(({ externalId }) => externalId))],
      ['node', some(jobs?.map(({ error }) => error?.node))],
    ]);
    return { values, paths, labels };
  }, [workflows.data, workers.data, jobs, inputs]);
}

const some = (values: readonly (string | null | undefined)[] = []): string[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
];

function add(into: Map<string, readonly string[]>, name: string, value: string): void {
  const known = into.get(name) ?? [];
  if (!known.includes(value) && known.length < JOBS) into.set(name, [...known, value]);
}

/** The fields of an input and their values; elements of lists have no names of their own. */
function addPaths(into: Map<string, readonly string[]>, bytes: ArrayBuffer): void {
  if (bytes.byteLength > MOST_BYTES) return;
  const visit = (value: unknown, path: readonly string[]): void => {
    if (into.size >= MOST_PATHS || path.length > 8) return;
    if (Array.isArray(value)) for (const item of value) visit(item, path);
    else if (value !== null && typeof value === 'object' && !('rawJSON' in value))
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name]);
    else if (path.length > 0) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (text.length <= VALUE_CHARACTERS) add(into, pathText(path), text);
      else if (!into.has(pathText(path))) into.set(pathText(path), []);
    }
  };
  try {
    visit(parseJson(new TextDecoder().decode(bytes)), []);
  } catch {
    // What is no JSON has no fields to offer.
  }
}
