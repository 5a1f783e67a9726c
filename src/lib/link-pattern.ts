/** What a link to another tool may hold, filled in for one job. */
export const LINK_PLACEHOLDERS = [
  'traceId',
  'jobId',
  'workflowId',
  'environment',
  'from',
  'to',
  'fromTime',
  'toTime',
  'seconds',
] as const;
export type LinkValues = Readonly<Record<(typeof LINK_PLACEHOLDERS)[number], string | null>>;

const MAX_LENGTH = 2000;
const PLACEHOLDER = /\{([^{}]*)\}/g;
const KNOWN: ReadonlySet<string> = new Set(LINK_PLACEHOLDERS);

const filled = (pattern: string, valueOf: (name: string) => string): string =>
  pattern.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(valueOf(name)));

/** Why a text is no pattern of a link, as the end of a sentence; null where it is one. */
export function linkPatternFault(pattern: unknown): string | null {
  if (typeof pattern !== 'string') return 'must be a text: a URL with placeholders such as {jobId}';
  if (pattern.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // oxlint-disable-next-line no-control-regex
  if (/[\s\u0000-\u001f\\]/.test(pattern)) return 'must not contain spaces, control characters or backslashes';
  for (const [, name = ''] of pattern.matchAll(PLACEHOLDER))
    if (!KNOWN.has(name))
      return `contains {${name.slice(0, 40)}}, which is no placeholder: use ${LINK_PLACEHOLDERS.map((one) => `{${one}}`).join(', ')}; write other braces as %7B and %7D`;
  if (/[{}]/.test(pattern.replace(PLACEHOLDER, '')))
    return 'has a brace without its other half: write it as %7B or %7D';
  const url = URL.parse(filled(pattern, () => 'a'));
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/]/i.test(pattern))
    return 'must be an http or https URL, such as https://tempo.example/trace/{traceId}';
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password: everybody who sees a job can read it';
  // A job decides where on that host the link leads, never to which host.
  if (url.origin !== URL.parse(filled(pattern, () => 'b'))?.origin)
    return 'must not have placeholders in the host or port';
  return null;
}

/** The link for one job; null: the pattern is none, or it needs a value that the job does not have. */
export function linkFor(pattern: string, values: LinkValues): string | null {
  if (pattern === '' || linkPatternFault(pattern) !== null) return null;
  const named = [...pattern.matchAll(PLACEHOLDER)].map(([, name]) => name as keyof LinkValues);
  if (named.some((name) => values[name] === null)) return null;
  return filled(pattern, (name) => values[name as keyof LinkValues] ?? '');
}

/** What a link may say of a job. Lines and points lie up to `slackMs` before and after it. */
export function linkValues(
  job: {
    readonly id: string;
    readonly traceId?: string | undefined;
    readonly workflowId: string;
    readonly environment: string | null;
    readonly createdAt: string;
    readonly finishedAt: string | null;
  },
  now: number,
  slackMs = 60_000,
): LinkValues {
  const from = Date.parse(job.createdAt) - slackMs;
  const to = (job.finishedAt === null ? now : Date.parse(job.finishedAt)) + slackMs;
  return {
    traceId: job.traceId ?? null,
    jobId: job.id,
    workflowId: job.workflowId,
    environment: job.environment,
    from: `${from}`,
    to: `${to}`,
    fromTime: new Date(from).toISOString(),
    toTime: new Date(to).toISOString(),
    seconds: `${Math.ceil((to - from) / 1000)}`,
  };
}
