import { Type } from 'typebox';
import { FindSchema } from './api-find.ts';

/** Search over everything; part of the route table. */
export const FIND_ROUTES = {
  find: {
    method: 'GET',
    path: '/api/v1/find',
    access: 'viewer',
    tag: 'Master',
    summary:
      'What has this id, begins with it, or holds this text: jobs, tasks, operations, workers, commits, workflows, failures, keys',
    query: Type.Object(
      {
        q: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'An id, the beginning of an id or of a commit hash, an external id, or a text',
        }),
      },
      { additionalProperties: false },
    ),
    answers: { 200: FindSchema },
  },
} as const;
