import { expect, it } from 'vitest';
import { linkFor, linkPatternFault, linkValues } from './link-pattern.ts';

const job = {
  id: '0190c1a2-7f00-7abc-9def-0123456789ab',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  workflowId: 'a b/&c',
  environment: 'prod',
  createdAt: '2026-03-01T10:00:00.000Z',
  finishedAt: '2026-03-01T10:01:00.000Z',
};

it.each([
  'https://tempo.example/trace/{traceId}',
  'http://localhost:3000/d/yardmaster-task-details?var-job={jobId}&from={from}&to={to}',
  'https://logs.example/select/vmui/#/?query=job_id%3A%3D{jobId}&g0.range_input={seconds}s&g0.end_input={toTime}',
  'https://grafana.example/explore?left=%7B%22a%22%3A1%7D',
])('takes %s', (pattern) => expect(linkPatternFault(pattern)).toBeNull());

it.each([
  ['', /must be an http or https URL/],
  [7, /must be a text/],
  ['javascript:alert({jobId})', /must be an http or https URL/],
  ['file:///etc/passwd', /must be an http or https URL/],
  ['//tempo.example/{traceId}', /must be an http or https URL/],
  ['https:tempo.example', /must be an http or https URL/],
  ['https://tempo.example/{trace_id}', /\{trace_id\}, which is no placeholder: use \{traceId\}/],
  ['https://tempo.example/{constructor}', /no placeholder/],
  ['https://tempo.example/{traceId', /brace without its other half/],
  ['https://{environment}.example/x', /placeholders in the host/],
  ['https://tempo.example:{seconds}/x', /must be an http|placeholders in the host/],
  ['https://me:secret@tempo.example/{traceId}', /user name or password/],
  ['https://tempo.example/a b', /spaces/],
  [`https://tempo.example/${'x'.repeat(2000)}`, /at most 2000/],
])('refuses %j', (pattern, why) => expect(linkPatternFault(pattern)).toMatch(why));

it('fills in what the job has, encoded, so that no value changes the rest of the link', () => {
  const values = linkValues(job, 0);
  expect(linkFor('https://a.example/{workflowId}?e={environment}&s={seconds}#{fromTime}', values)).toBe(
    'https://a.example/a%20b%2F%26c?e=prod&s=180#2026-03-01T09%3A59%3A00.000Z',
  );
  expect(linkFor('https://a.example/?from={from}&to={to}', values)).toBe(
    `https://a.example/?from=${Date.UTC(2026, 2, 1, 9, 59)}&to=${Date.UTC(2026, 2, 1, 10, 2)}`,
  );
});

it('is no link where the job lacks a value, or the pattern is none', () => {
  const values = linkValues({ ...job, traceId: undefined, environment: null, finishedAt: null }, 1_800_000_000_000);
  expect(linkFor('https://a.example/{traceId}', values)).toBeNull();
  expect(linkFor('https://a.example/{environment}', values)).toBeNull();
  expect(linkFor('', values)).toBeNull();
  expect(linkFor('javascript:{jobId}', values)).toBeNull();
  expect(linkFor('https://a.example/{jobId}?to={to}', values)).toBe(
    'https://a.example/0190c1a2-7f00-7abc-9def-0123456789ab?to=1800000060000',
  );
});
