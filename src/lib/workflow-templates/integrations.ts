import type { TemplateId } from './catalogue.ts';
import { answered, DEMO_API } from './demo-api.ts';
import type { Template } from './index.ts';

const userInput = {
  type: 'object',
  properties: { userId: { type: 'integer', minimum: 1, examples: [1] } },
  required: ['userId'],
};

const callApi: Template = {
  sample: { userId: 1 },
  tests: [
    {
      name: 'returns the needed fields',
      input: { userId: 1 },
      outputs: { get: answered({ name: 'Ada', email: 'Ada@Example.com', address: { city: 'London' }, phone: '1' }) },
      expect: { output: { name: 'Ada', email: 'ada@example.com', city: 'London' } },
    },
    {
      name: 'leaves out what the API does not know',
      input: { userId: 2 },
      outputs: { get: answered({ name: 'Bob' }) },
      expect: { output: { name: 'Bob' } },
    },
  ],
  definition: {
    input: userInput,
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Request' },
      {
        id: 'get',
        type: 'http',
        name: 'Get user',
        config: { method: 'GET', url: `${DEMO_API}/users/{{ userId }}`, timeoutSeconds: 10 },
        retries: 2,
      },
      {
        id: 'shape',
        type: 'transform',
        name: 'Pick fields',
        config: {
          expression: '{\n  "name": body.name,\n  "email": $lowercase(body.email),\n  "city": body.address.city\n}',
        },
      },
      { id: 'output', type: 'output', name: 'Response' },
    ],
    edges: [
      { from: 'input', to: 'get' },
      { from: 'get', to: 'shape' },
      { from: 'shape', to: 'output' },
    ],
    output: 'output',
  },
};

const callMany: Template = {
  sample: { ids: [1, 2, 3, 4] },
  tests: [
    {
      name: 'counts what is done and what failed',
      input: { ids: [1, 2, 3] },
      outputs: {
        each: [
          answered({ title: 'Write', completed: true }),
          { error: { code: 'UPSTREAM_UNAVAILABLE', message: 'no response' } },
          answered({ title: 'Read', completed: false }),
        ],
      },
      expect: { output: { total: 3, done: 1, failed: 1, titles: ['Write', 'Read'] } },
    },
    {
      name: 'an empty list is no error',
      input: { ids: [] },
      outputs: { each: [] },
      expect: { output: { total: 0, done: 0, failed: 0, titles: [] } },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'integer' }, maxItems: 1000, examples: [[1, 2, 3, 4]] } },
      required: ['ids'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'List' },
      {
        id: 'each',
        type: 'forEach',
        name: 'Get each item',
        config: {
          items: '[ids.{ "id": $ }]',
          node: { type: 'http', config: { method: 'GET', url: `${DEMO_API}/todos/{{ id }}`, timeoutSeconds: 10 } },
          concurrency: 5,
          onError: 'collect',
        },
        retries: 2,
      },
      {
        id: 'summary',
        type: 'transform',
        name: 'Summarize',
        config: {
          expression:
            '{\n  "total": $count($),\n  "done": $count($[body.completed = true]),\n  "failed": $count($[$exists(error)]),\n  "titles": [$[$exists(body)].body.title]\n}',
        },
      },
      { id: 'output', type: 'output', name: 'Summary' },
    ],
    edges: [
      { from: 'input', to: 'each' },
      { from: 'each', to: 'summary' },
      { from: 'summary', to: 'output' },
    ],
    output: 'output',
  },
};

const twoSources: Template = {
  sample: { userId: 1 },
  tests: [
    {
      name: 'merges both responses',
      input: { userId: 1 },
      outputs: { user: answered({ name: 'Ada' }), posts: answered([{ title: 'First' }, { title: 'Second' }]) },
      expect: { output: { name: 'Ada', posts: 2, latest: 'Second' } },
    },
    {
      name: 'a user without posts',
      input: { userId: 2 },
      outputs: { user: answered({ name: 'Bob' }), posts: answered([]) },
      expect: { output: { name: 'Bob', posts: 0, latest: null } },
    },
  ],
  definition: {
    input: userInput,
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Request' },
      {
        id: 'user',
        type: 'http',
        name: 'Get user',
        config: { method: 'GET', url: `${DEMO_API}/users/{{ userId }}`, timeoutSeconds: 10 },
      },
      {
        id: 'posts',
        type: 'http',
        name: 'Get posts',
        config: { method: 'GET', url: `${DEMO_API}/posts`, query: { userId: '{{ userId }}' }, timeoutSeconds: 10 },
      },
      {
        id: 'merge',
        type: 'transform',
        name: 'Merge',
        join: 'keyed',
        config: {
          expression:
            '{\n  "name": user.body.name,\n  "posts": $count(posts.body),\n  "latest": $count(posts.body) = 0 ? null : posts.body[-1].title\n}',
        },
      },
      { id: 'output', type: 'output', name: 'Response' },
    ],
    edges: [
      { from: 'input', to: 'user' },
      { from: 'input', to: 'posts' },
      { from: 'user', to: 'merge' },
      { from: 'posts', to: 'merge' },
      { from: 'merge', to: 'output' },
    ],
    output: 'output',
  },
};

const withFallback: Template = {
  sample: { userId: 1 },
  tests: [
    {
      name: 'uses the live value',
      input: { userId: 1 },
      outputs: { attempt: [answered({ name: 'Ada' })] },
      expect: { output: { source: 'live', name: 'Ada' } },
    },
    {
      name: 'uses the default if the API fails',
      input: { userId: 1 },
      outputs: { attempt: [{ error: { code: 'UPSTREAM_UNAVAILABLE', message: 'no response' } }] },
      expect: { output: { source: 'default', name: 'Unknown', reason: 'no response' } },
    },
  ],
  definition: {
    input: userInput,
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Request' },
      {
        id: 'attempt',
        type: 'forEach',
        name: 'Get user',
        config: {
          items: '[$]',
          node: { type: 'http', config: { method: 'GET', url: `${DEMO_API}/users/{{ userId }}`, timeoutSeconds: 10 } },
          onError: 'collect',
        },
        retries: 2,
      },
      { id: 'worked', type: 'condition', name: 'Did it work?', config: { expression: '$exists($[0].body)' } },
      {
        id: 'live',
        type: 'transform',
        name: 'Live value',
        config: { expression: '{ "source": "live", "name": $[0].body.name }' },
      },
      {
        id: 'fallback',
        type: 'transform',
        name: 'Default value',
        config: { expression: '{ "source": "default", "name": "Unknown", "reason": $[0].error.message }' },
      },
      { id: 'output', type: 'output', name: 'Response', join: 'value' },
    ],
    edges: [
      { from: 'input', to: 'attempt' },
      { from: 'attempt', to: 'worked' },
      { from: 'worked', to: 'live', port: 'true' },
      { from: 'worked', to: 'fallback', port: 'false' },
      { from: 'live', to: 'output' },
      { from: 'fallback', to: 'output' },
    ],
    output: 'output',
  },
};

const routeEvent: Template = {
  sample: { service: 'checkout', severity: 'critical', message: 'payment provider does not respond' },
  tests: [
    {
      name: 'critical events are posted',
      input: { service: 'checkout', severity: 'critical', message: 'down' },
      outputs: { post: answered({ id: 101 }, 201) },
      expect: { output: { route: 'webhook', status: 201 } },
    },
    {
      name: 'other events go to the digest',
      input: { service: 'search', severity: 'info', message: 'index rebuilt' },
      expect: { output: { route: 'digest', line: '[info] search: index rebuilt' } },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: {
        service: { type: 'string', minLength: 1 },
        severity: { enum: ['critical', 'error', 'warning', 'info'] },
        message: { type: 'string' },
      },
      required: ['service', 'severity', 'message'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Event' },
      {
        id: 'urgent',
        type: 'condition',
        name: 'Urgent?',
        config: { expression: 'severity in ["critical", "error"]' },
      },
      {
        id: 'post',
        type: 'http',
        name: 'Post to webhook',
        config: {
          method: 'POST',
          url: `${DEMO_API}/posts`,
          body: { text: '{{ $uppercase(severity) }} {{ service }}: {{ message }}' },
          timeoutSeconds: 10,
        },
        retries: 5,
      },
      {
        id: 'posted',
        type: 'transform',
        name: 'Posted',
        config: { expression: '{ "route": "webhook", "status": status }' },
      },
      {
        id: 'digest',
        type: 'transform',
        name: 'Line for the digest',
        config: { expression: '{ "route": "digest", "line": "[" & severity & "] " & service & ": " & message }' },
      },
      { id: 'output', type: 'output', name: 'Route', join: 'value' },
    ],
    edges: [
      { from: 'input', to: 'urgent' },
      { from: 'urgent', to: 'post', port: 'true' },
      { from: 'urgent', to: 'digest', port: 'false' },
      { from: 'post', to: 'posted' },
      { from: 'posted', to: 'output' },
      { from: 'digest', to: 'output' },
    ],
    output: 'output',
  },
};

export const INTEGRATIONS = {
  'call-api': callApi,
  'call-many': callMany,
  'two-sources': twoSources,
  'with-fallback': withFallback,
  'route-event': routeEvent,
} as const satisfies Partial<Record<TemplateId, Template>>;
