import { Type } from 'typebox';
import { DraftRunSchema } from './api-drafts.ts';
import { DefinitionSchema } from './definition.ts';
import { oneOf } from './shapes.ts';

const strict = { additionalProperties: false } as const;
const NodeId = Type.String({ minLength: 1, maxLength: 100 });

/** Running what is not saved yet. */
export const DRAFT_ROUTES = {
  createDraftRun: {
    method: 'POST',
    path: '/api/v1/workflows/:id/draft-runs',
    access: 'operator',
    tag: 'Workflows',
    summary: 'Run a definition that is not saved, and answer with what each node gave',
    params: Type.Object({ id: Type.String() }),
    body: Type.Object(
      {
        definition: DefinitionSchema,
        inputs: Type.Array(Type.Unknown(), {
          minItems: 1,
          description: 'One JSON value for each replica, valid by the definition’s input schema',
        }),
        upTo: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'Run this node and what it depends on, and nothing else; the rest may have faults',
          }),
        ),
        effects: Type.Optional(oneOf(['standIn', 'run'] as const)),
        outputs: Type.Optional(
          Type.Record(NodeId, Type.Unknown(), { description: 'What stand-ins give, by node; any node may be named' }),
        ),
        waitSeconds: Type.Optional(
          Type.Number({ minimum: 0, maximum: 60, description: 'Longest wait for the end; 10 where absent' }),
        ),
      },
      strict,
    ),
    answers: { 200: DraftRunSchema },
  },
  getDraftRun: {
    method: 'GET',
    path: '/api/v1/workflows/:id/draft-runs/:jobId',
    access: 'viewer',
    tag: 'Workflows',
    summary: 'How far a draft run is',
    params: Type.Object({ id: Type.String(), jobId: Type.String({ minLength: 1, maxLength: 64 }) }),
    answers: { 200: DraftRunSchema },
  },
} as const;
