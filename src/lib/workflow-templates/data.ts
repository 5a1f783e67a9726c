import type { TemplateId } from './catalogue.ts';
import { answered, DEMO_API } from './demo-api.ts';
import type { Template } from './index.ts';

const copyRecords: Template = {
  sample: { userId: 1 },
  tests: [
    {
      name: 'counts copied and failed records',
      input: { userId: 1 },
      outputs: {
        read: answered([
          { id: 7, title: ' First ' },
          { id: 8, title: 'Second' },
        ]),
        write: [answered({ id: 101 }, 201), { error: { code: 'NON_RETRYABLE', message: 'status 400' } }],
      },
      expect: { output: { copied: 1, failed: 1, errors: ['status 400'] } },
    },
    {
      name: 'nothing to copy',
      input: { userId: 2 },
      outputs: { read: answered([]), write: [] },
      expect: { output: { copied: 0, failed: 0, errors: [] } },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: { userId: { type: 'integer', minimum: 1, examples: [1] } },
      required: ['userId'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Request' },
      {
        id: 'read',
        type: 'http',
        name: 'Read records',
        config: { method: 'GET', url: `${DEMO_API}/posts`, query: { userId: '{{ userId }}' }, timeoutSeconds: 30 },
      },
      {
        id: 'write',
        type: 'forEach',
        name: 'Write each record',
        config: {
          items: '[body.{ "externalId": $string(id), "title": $trim(title) }]',
          node: {
            type: 'http',
            config: {
              method: 'POST',
              url: `${DEMO_API}/posts`,
              body: { externalId: '{{ externalId }}', title: '{{ title }}' },
              timeoutSeconds: 10,
            },
          },
          concurrency: 5,
          onError: 'collect',
        },
      },
      {
        id: 'summary',
        type: 'transform',
        name: 'Count',
        config: {
          expression:
            '{\n  "copied": $count($[$exists(status)]),\n  "failed": $count($[$exists(error)]),\n  "errors": [$.error.message]\n}',
        },
      },
      { id: 'output', type: 'output', name: 'Result' },
    ],
    edges: [
      { from: 'input', to: 'read' },
      { from: 'read', to: 'write' },
      { from: 'write', to: 'summary' },
      { from: 'summary', to: 'output' },
    ],
    output: 'output',
  },
};

const CHECK = `const accepted = [];
const rejected = [];
for (const record of input.records) {
  const email = String(record.email ?? '').trim().toLowerCase();
  const country = String(record.country ?? '').trim().toUpperCase();
  const reasons = [];
  if (!/^[^@ ]+@[^@ ]+\\.[^@ ]+$/.test(email)) reasons.push('invalid email');
  if (!/^[A-Z]{2}$/.test(country)) reasons.push('country must have two letters');
  if (reasons.length === 0) accepted.push({ email, country });
  else rejected.push({ record, reasons });
}
if (rejected.length > 0) ctx.log('WARN', rejected.length + ' records rejected', { rejected: rejected.length });
return { accepted, rejected };`;

const validateRecords: Template = {
  sample: {
    records: [
      { email: ' Ada@Example.com', country: 'gb' },
      { email: 'nobody', country: 'Germany' },
    ],
  },
  tests: [
    {
      name: 'normalizes valid records',
      input: { records: [{ email: ' Ada@Example.com', country: 'gb' }] },
      expect: { output: { status: 'accepted', records: [{ email: 'ada@example.com', country: 'GB' }] } },
    },
    {
      name: 'gives the reasons for rejected ones',
      input: { records: [{ email: 'nobody', country: 'Germany' }] },
      expect: {
        output: {
          status: 'partly rejected',
          records: [],
          rejected: [
            {
              record: { email: 'nobody', country: 'Germany' },
              reasons: ['invalid email', 'country must have two letters'],
            },
          ],
        },
      },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: { records: { type: 'array', items: { type: 'object' }, maxItems: 10_000 } },
      required: ['records'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Records' },
      { id: 'check', type: 'code', name: 'Check each record', config: { source: CHECK } },
      { id: 'clean', type: 'condition', name: 'All valid?', config: { expression: '$count(rejected) = 0' } },
      {
        id: 'accepted',
        type: 'transform',
        name: 'Accepted',
        config: { expression: '{ "status": "accepted", "records": accepted }' },
      },
      {
        id: 'partly',
        type: 'transform',
        name: 'Partly rejected',
        config: { expression: '{ "status": "partly rejected", "records": accepted, "rejected": rejected }' },
      },
      { id: 'output', type: 'output', name: 'Result', join: 'value' },
    ],
    edges: [
      { from: 'input', to: 'check' },
      { from: 'check', to: 'clean' },
      { from: 'clean', to: 'accepted', port: 'true' },
      { from: 'clean', to: 'partly', port: 'false' },
      { from: 'accepted', to: 'output' },
      { from: 'partly', to: 'output' },
    ],
    output: 'output',
  },
};

const ORDERS = [
  { id: 'A-1', country: 'DE', total: 120 },
  { id: 'A-2', country: 'FR', total: 80 },
  { id: 'A-3', country: 'DE', total: 40 },
];

const report: Template = {
  sample: { orders: ORDERS },
  tests: [
    {
      name: 'totals by country, the largest first',
      input: { orders: ORDERS },
      expect: { output: { report: '3 orders, 240 in total\nDE: 160\nFR: 80' } },
    },
    {
      name: 'no orders',
      input: { orders: [] },
      expect: { output: { report: '0 orders, 0 in total' } },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: {
        orders: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, country: { type: 'string' }, total: { type: 'number' } },
            required: ['country', 'total'],
          },
        },
      },
      required: ['orders'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Orders' },
      {
        id: 'totals',
        type: 'transform',
        name: 'Total by country',
        config: {
          expression:
            '(\n  $all := orders;\n  {\n    "count": $count($all),\n    "total": $sum([$all.total]),\n    "countries": [$distinct($all.country).(\n      $country := $;\n      { "country": $country, "total": $sum($all[country = $country].total) }\n    )^(>total)]\n  }\n)',
        },
      },
      {
        id: 'text',
        type: 'template',
        name: 'Render the text',
        config: {
          template: '{{ count }} orders, {{ total }} in total{{ $join(countries.("\\n" & country & ": " & total)) }}',
        },
      },
      { id: 'wrap', type: 'transform', name: 'Report', config: { expression: '{ "report": $ }' } },
      { id: 'output', type: 'output', name: 'Response' },
    ],
    edges: [
      { from: 'input', to: 'totals' },
      { from: 'totals', to: 'text' },
      { from: 'text', to: 'wrap' },
      { from: 'wrap', to: 'output' },
    ],
    output: 'output',
  },
};

export const DATA = {
  'copy-records': copyRecords,
  'validate-records': validateRecords,
  report,
} as const satisfies Partial<Record<TemplateId, Template>>;
