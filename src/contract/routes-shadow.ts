import { Type } from 'typebox';
import * as shadow from './api-shadow.ts';
import { oneOf, PageOf } from './shapes.ts';

/** The routes of shadow replays; part of the route table. */

const strict = { additionalProperties: false } as const;
const paging = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
};
const Workflow = Type.Object({ id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }) });
const Replay = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });
const Result = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  number: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});

export const SHADOW_ROUTES = {
  startShadowReplay: {
    method: 'POST',
    path: '/api/v1/workflows/:id/shadow-replays',
    access: 'operator',
    tag: 'Shadow replays',
    summary:
      'Run inputs that an environment was given against another commit; nothing is called outside and no job is made',
    params: Workflow,
    body: shadow.ShadowBodySchema,
    answers: { 202: shadow.ShadowReplaySchema },
  },
  listShadowReplays: {
    method: 'GET',
    path: '/api/v1/workflows/:id/shadow-replays',
    access: 'viewer',
    tag: 'Shadow replays',
    summary: 'Shadow replays of a workflow, newest first',
    params: Workflow,
    query: Type.Object({ ...paging, commit: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })) }, strict),
    answers: { 200: PageOf(shadow.ShadowReplaySchema) },
  },
  getShadowReplay: {
    method: 'GET',
    path: '/api/v1/shadow-replays/:id',
    access: 'viewer',
    tag: 'Shadow replays',
    summary: 'One shadow replay and its progress',
    params: Replay,
    answers: { 200: shadow.ShadowReplaySchema },
  },
  listShadowResults: {
    method: 'GET',
    path: '/api/v1/shadow-replays/:id/results',
    access: 'viewer',
    tag: 'Shadow replays',
    summary: 'What each input came to',
    params: Replay,
    query: Type.Object({ ...paging, verdict: Type.Optional(oneOf(shadow.SHADOW_VERDICTS)) }, strict),
    answers: { 200: PageOf(shadow.ShadowResultSchema) },
  },
  getShadowResult: {
    method: 'GET',
    path: '/api/v1/shadow-replays/:id/results/:number',
    access: 'viewer',
    tag: 'Shadow replays',
    summary: 'One input with both outputs',
    params: Result,
    answers: { 200: shadow.ShadowDetailSchema },
  },
  abortShadowReplay: {
    method: 'POST',
    path: '/api/v1/shadow-replays/:id/abort',
    access: 'operator',
    tag: 'Shadow replays',
    summary: 'Stop a shadow replay; its results stay',
    params: Replay,
    answers: { 200: shadow.ShadowReplaySchema },
  },
  getShadowIgnores: {
    method: 'GET',
    path: '/api/v1/workflows/:id/shadow-ignores',
    access: 'viewer',
    tag: 'Shadow replays',
    summary: 'Places in the outputs of a workflow that always differ',
    params: Workflow,
    answers: { 200: shadow.ShadowIgnoresSchema },
  },
  putShadowIgnores: {
    method: 'PUT',
    path: '/api/v1/workflows/:id/shadow-ignores',
    access: 'operator',
    tag: 'Shadow replays',
    summary: 'Replace them; earlier replays are judged by them too',
    params: Workflow,
    body: shadow.ShadowIgnoresSchema,
    answers: { 200: shadow.ShadowIgnoresSchema },
  },
} as const;
