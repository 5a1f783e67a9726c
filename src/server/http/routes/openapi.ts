import { ERRORS } from '../../../contract/errors.ts';
import { ROUTES } from '../../../contract/routes.ts';
import { ProblemSchema, type Route, routeErrors } from '../../../contract/shapes.ts';
import { VERSION } from '../../../contract/version.ts';
import type { JsonSchema } from './docs-schema.ts';

const SECURITY = { key: [{ apiKey: [] }], open: [], role: [{ token: [] }, { session: [] }] };

/** The description of the API (OpenAPI 3.1), drawn from the route table. */
export function openApiText(): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, route] of Object.entries<Route>(ROUTES)) {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(operationId, route);
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Yardmaster',
      version: VERSION,
      description: 'Workflow events, jobs, workers, logs and metrics of one master.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(ROUTES).map((r) => r.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Problem: {
          ...ProblemSchema,
          description: 'RFC 9457, with a stable code',
          properties: {
            ...ProblemSchema.properties,
            code: { type: 'string', enum: Object.keys(ERRORS) },
          },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token with the role viewer, operator or admin' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'yardmaster',
          description: 'A browser session; the cookie name ends with the port, such as yardmaster_8700',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
      },
    },
  });
}

function operation(operationId: string, route: Route): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(route.answers))
    responses[status] =
      schema === null
        ? { description: 'Done; no body' }
        : { description: route.summary, content: { [route.produces ?? 'application/json']: { schema } } };
  responses['default'] = {
    description: `A problem: ${routeErrors(route).join(', ')}`,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  const parameters = [
    ...parametersOf(route.params, 'path'),
    ...parametersOf(route.query, 'query'),
    ...headersOf(operationId),
  ];
  const body: JsonSchema | undefined = route.body;
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.access === 'key' || route.access === 'open'
      ? {}
      : { description: `Role: ${route.access === 'self' ? 'any' : route.access}.` }),
    security: route.access === 'key' ? SECURITY.key : route.access === 'open' ? SECURITY.open : SECURITY.role,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body
      ? {
          requestBody: {
            required: body.required !== undefined || body.type === 'array',
            content: { 'application/json': { schema: body } },
          },
        }
      : {}),
    responses,
  };
}

export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
}

/** Request headers that a route understands besides the usual ones. */
export const headersOf = (operationId: string): readonly HeaderParameter[] =>
  operationId === 'events.send' ? EVENT_HEADERS : operationId === 'live.stream' ? STREAM_HEADERS : [];

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});
const EVENT_HEADERS: readonly HeaderParameter[] = [
  header(
    'Prefer',
    'respond-async: returns 202 immediately. wait=N: returns 200 within N seconds, otherwise 202 (RFC 7240)',
  ),
  header('Idempotency-Key', 'A repeated call with the same key and body runs nothing and returns the first response'),
  header('x-external-id', 'External ID of the job'),
  header('x-labels', 'Labels of the job: key=value, comma-separated'),
];
const STREAM_HEADERS: readonly HeaderParameter[] = [header('Last-Event-ID', 'Resume after this event')];

function parametersOf(schema: JsonSchema | undefined, place: 'path' | 'query'): unknown[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: own,
  }));
  if (typeof additionalProperties !== 'object') return named;
  return [
    ...named,
    {
      name: 'filters',
      in: 'query',
      required: false,
      style: 'form',
      explode: true,
      description: 'Any other parameter filters by the tag with that name',
      schema: { type: 'object', additionalProperties },
    },
  ];
}
