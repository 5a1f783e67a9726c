import { type Static, Type } from 'typebox';
import { ActionSchema } from './access.ts';
import { ACTIONS } from './actions.ts';
import {
  Closed,
  Count,
  EnvironmentSchema,
  enumOf,
  get,
  Nullable,
  PageOf,
  Paging,
  paging,
  patch,
  post,
  put,
  remove,
  tagged,
  Time,
} from './shapes.ts';
import { ENVIRONMENTS } from './vocabulary.ts';

/** Projects, roles, and who has which role where. */

export const PROJECT_ID = '^[a-z0-9][a-z0-9-]{0,62}$';
const ProjectId = Type.String({ pattern: PROJECT_ID });
const RoleId = Type.String({ pattern: PROJECT_ID });

export const ProjectSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  workflows: Type.Integer({ minimum: 0, description: 'How many belong to it' }),
  masks: Type.Array(Type.String({ description: 'Path of a field that is masked in payloads' })),
  createdAt: Time,
  createdBy: Type.String(),
});
export type Project = Static<typeof ProjectSchema>;

export const AccessRoleSchema = Type.Object({
  id: Type.String(),
  builtIn: Type.Boolean(),
  description: Nullable(Type.String()),
  actions: Type.Array(ActionSchema),
  grants: Count,
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'What reaches further than it may seem; of custom roles' }),
  ),
});
export type AccessRole = Static<typeof AccessRoleSchema>;

const SubjectKind = enumOf(['user', 'group'] as const);
export const GrantSchema = Type.Object({
  id: Type.String(),
  subjectKind: SubjectKind,
  subject: Type.String({ description: 'ID of the user, or name of the group' }),
  subjectName: Nullable(Type.String({ description: 'Sign-in name of the user; null: a group, or nobody known' })),
  role: Type.String(),
  project: Nullable(Type.String({ description: 'Null: all projects, and what belongs to none' })),
  environments: Nullable(Type.Array(EnvironmentSchema, { description: 'Null: all' })),
  createdAt: Time,
  createdBy: Type.String(),
});
export type AccessGrant = Static<typeof GrantSchema>;

/** Names with dots between them; `[*]` may stand for the elements of an array. */
const MASK_PATH = '^(\\$\\.)?[^.\\[\\]\\s$][^.\\[\\]\\s]*(\\[\\*\\])?(\\.[^.\\[\\]\\s]+(\\[\\*\\])?)*$';
const MOST_MASKS = 100;

const name = Type.String({ minLength: 1, maxLength: 200 });

export const projectRoutes = tagged('Access', {
  'projects.list': get('/api/v1/projects', 'viewer', 'List projects', {
    query: Paging,
    answers: { 200: PageOf(ProjectSchema) },
  }),
  'projects.create': post('/api/v1/projects', 'admin', 'Create a project', {
    body: Closed({ id: ProjectId, name }),
    errors: ['PROJECT_EXISTS'],
    answers: { 201: ProjectSchema },
  }),
  'projects.update': patch('/api/v1/projects/:id', 'admin', 'Rename a project, or change what it masks', {
    body: Closed({
      name: Type.Optional(name),
      masks: Type.Optional(
        Type.Array(Type.String({ pattern: MASK_PATH, maxLength: 300 }), {
          maxItems: MOST_MASKS,
          description: 'Paths of fields of payloads, such as $.customer.iban or items[*].sku',
        }),
      ),
    }),
    errors: ['PROJECT_NOT_FOUND'],
    answers: { 200: ProjectSchema },
  }),
  'projects.delete': remove(
    '/api/v1/projects/:id',
    'admin',
    'Delete a project that nothing belongs to and no grant names',
    {
      errors: ['PROJECT_NOT_FOUND', 'PROJECT_IN_USE'],
      answers: { 204: null },
    },
  ),
  'roles.list': get('/api/v1/roles', 'viewer', 'List roles with their actions', {
    query: Paging,
    answers: { 200: PageOf(AccessRoleSchema) },
  }),
  'roles.set': put('/api/v1/roles/:id', 'admin', 'Create or change a custom role', {
    params: Type.Object({ id: RoleId }),
    body: Closed({
      description: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
      actions: Type.Array(ActionSchema, { minItems: 1, maxItems: ACTIONS.length }),
    }),
    errors: ['ROLE_BUILT_IN'],
    answers: { 200: AccessRoleSchema },
  }),
  'roles.delete': remove('/api/v1/roles/:id', 'admin', 'Delete a custom role that nobody has', {
    errors: ['ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_IN_USE'],
    answers: { 204: null },
  }),
  'grants.list': get('/api/v1/grants', 'viewer', 'List who has which role in which project', {
    query: Closed({
      ...paging,
      subjectKind: Type.Optional(SubjectKind),
      subject: Type.Optional(Type.String()),
      role: Type.Optional(Type.String()),
      project: Type.Optional(Type.String({ description: 'Also grants of all projects' })),
    }),
    answers: { 200: PageOf(GrantSchema) },
  }),
  'grants.create': post('/api/v1/grants', 'admin', 'Give a user or a group a role', {
    body: Closed({
      subjectKind: SubjectKind,
      subject: Type.String({ minLength: 1, maxLength: 200 }),
      role: RoleId,
      project: Type.Optional(Nullable(ProjectId)),
      environments: Type.Optional(
        Nullable(Type.Array(EnvironmentSchema, { minItems: 1, maxItems: ENVIRONMENTS.length })),
      ),
    }),
    errors: ['ROLE_NOT_FOUND', 'PROJECT_NOT_FOUND'],
    answers: { 201: GrantSchema },
  }),
  'grants.delete': remove('/api/v1/grants/:id', 'admin', 'Take a role back', {
    errors: ['GRANT_NOT_FOUND'],
    answers: { 204: null },
  }),
});
