import { Type } from 'typebox';
import { DeadLetterSchema, PipelineStatsSchema } from './api-pipeline.ts';
import { PageOf } from './shapes.ts';

const strict = { additionalProperties: false } as const;
const PATH = '/api/v1/logs/dead-letters';
const Which = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 10_000 })),
    all: Type.Optional(Type.Literal(true)),
  },
  { ...strict, minProperties: 1, maxProperties: 1, description: 'Either ids, or all: true' },
);

/** The log pipeline, and the lines that the log store refused for good. */
export const PIPELINE_ROUTES = {
  getPipeline: {
    method: 'GET',
    path: '/api/v1/logs/pipeline',
    access: 'viewer',
    tag: 'Logs',
    summary: 'What the log pipeline holds, and what it counted since its start',
    answers: { 200: PipelineStatsSchema },
  },
  listDeadLetters: {
    method: 'GET',
    path: PATH,
    access: 'viewer',
    tag: 'Logs',
    summary: 'Log lines that the log store refused, newest first',
    query: Type.Object(
      {
        page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
        size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
      },
      strict,
    ),
    answers: { 200: PageOf(DeadLetterSchema) },
  },
  replayDeadLetters: {
    method: 'POST',
    path: `${PATH}/replay`,
    access: 'operator',
    tag: 'Logs',
    summary: 'Send dead letters to the log store again',
    body: Which,
    answers: { 200: Type.Object({ replayed: Type.Integer() }) },
  },
  discardDeadLetters: {
    method: 'POST',
    path: `${PATH}/discard`,
    access: 'operator',
    tag: 'Logs',
    summary: 'Delete dead letters',
    body: Which,
    answers: { 200: Type.Object({ discarded: Type.Integer() }) },
  },
} as const;
