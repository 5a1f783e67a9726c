import { Type } from 'typebox';
import { ComparisonSchema, LogComparisonSchema, ValueComparisonSchema } from './api-compare.ts';
import { oneOf } from './shapes.ts';

const strict = { additionalProperties: false } as const;
const Id = Type.String({ minLength: 1, maxLength: 64 });
const pair = Type.Object({ jobId: Id, otherId: Id });

/** The routes of comparing runs and of handing one on; part of the route table. */
export const COMPARE_ROUTES = {
  compareJobs: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/compare/:otherId',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'What sets this run apart from another, task by task',
    params: pair,
    answers: { 200: ComparisonSchema },
  },
  compareJobValues: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/compare/:otherId/values',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'Inputs or outputs of two runs, path by path',
    params: pair,
    query: Type.Object(
      {
        of: oneOf(['input', 'output'] as const),
        replica: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 100_000_000,
            description: 'Of the input: which replica, counted from 0',
          }),
        ),
        task: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'A task of this job, with otherTask: their payloads in the place of those of the jobs',
          }),
        ),
        otherTask: Type.Optional(Id),
      },
      strict,
    ),
    answers: { 200: ValueComparisonSchema },
  },
  compareJobLogs: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/compare/:otherId/logs',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'Log lines that one of two runs alone wrote, or wrote more often',
    params: pair,
    answers: { 200: LogComparisonSchema },
  },
  incidentBundle: {
    method: 'GET',
    path: '/api/v1/jobs/:jobId/incident-bundle',
    access: 'viewer',
    tag: 'Jobs',
    summary: 'One file with all that is known of a run, without secrets',
    params: Type.Object({ jobId: Id }),
    query: Type.Object(
      { payloads: Type.Optional(Type.Boolean({ description: 'False: without inputs and outputs' })) },
      strict,
    ),
    answers: { 200: Type.Unknown() },
    produces: 'application/gzip',
  },
} as const;
