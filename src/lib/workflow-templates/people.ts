import type { TemplateId } from './catalogue.ts';
import type { Template } from './index.ts';

const REQUEST = { requester: 'ann', purpose: 'New laptops', amount: 2500 };

const approveAmount: Template = {
  sample: REQUEST,
  tests: [
    {
      name: 'small amounts need no approval',
      input: { ...REQUEST, amount: 80 },
      expect: { output: { approved: true, by: 'policy', amount: 80 } },
    },
    {
      name: 'large amounts are approved by a person',
      input: REQUEST,
      outputs: { ask: { input: REQUEST, approval: { decision: 'approve', decidedBy: 'bob' }, timedOut: false } },
      expect: { output: { approved: true, by: 'bob', amount: 2500 } },
    },
    {
      name: 'large amounts can be rejected',
      input: REQUEST,
      outputs: { ask: { input: REQUEST, approval: { decision: 'reject', decidedBy: 'bob' }, timedOut: false } },
      expect: { expression: 'approved = false' },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: {
        requester: { type: 'string', minLength: 1 },
        purpose: { type: 'string' },
        amount: { type: 'number', minimum: 0 },
      },
      required: ['requester', 'purpose', 'amount'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Request' },
      { id: 'large', type: 'condition', name: 'Above the limit?', config: { expression: 'amount > 1000' } },
      {
        id: 'ask',
        type: 'wait',
        name: 'Ask for approval',
        config: {
          for: 'approval',
          title: 'Approve {{ amount }} for {{ purpose }}, requested by {{ requester }}?',
          timeoutSeconds: 259_200,
          onTimeout: 'reject',
          onReject: 'continue',
          remindSeconds: 86_400,
        },
      },
      {
        id: 'decided',
        type: 'transform',
        name: 'Decision',
        config: {
          expression:
            '{\n  "approved": approval.decision = "approve",\n  "by": approval.decidedBy,\n  "amount": input.amount\n}',
        },
      },
      {
        id: 'automatic',
        type: 'transform',
        name: 'Approve automatically',
        config: { expression: '{ "approved": true, "by": "policy", "amount": amount }' },
      },
      { id: 'output', type: 'output', name: 'Response', join: 'value' },
    ],
    edges: [
      { from: 'input', to: 'large' },
      { from: 'large', to: 'ask', port: 'true' },
      { from: 'large', to: 'automatic', port: 'false' },
      { from: 'ask', to: 'decided' },
      { from: 'decided', to: 'output' },
      { from: 'automatic', to: 'output' },
    ],
    output: 'output',
  },
};

const ORDER = { order: 'A-1001', email: 'ada@example.com' };

const waitForSignal: Template = {
  sample: ORDER,
  tests: [
    {
      name: 'confirms a payment',
      input: ORDER,
      outputs: { payment: { input: ORDER, signal: { name: 'paid', payload: { amount: 99 } }, timedOut: false } },
      expect: { output: { order: 'A-1001', status: 'paid', payment: { amount: 99 } } },
    },
    {
      name: 'reminds after the deadline',
      input: ORDER,
      outputs: { payment: { input: ORDER, signal: null, timedOut: true } },
      expect: { output: { order: 'A-1001', status: 'unpaid', message: 'To ada@example.com: A-1001 is not paid yet.' } },
    },
  ],
  definition: {
    input: {
      type: 'object',
      properties: { order: { type: 'string', minLength: 1 }, email: { type: 'string' } },
      required: ['order', 'email'],
    },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Order' },
      {
        id: 'payment',
        type: 'wait',
        name: 'Wait for the payment',
        config: { for: 'signal', name: 'paid', timeoutSeconds: 259_200, onTimeout: 'continue' },
      },
      { id: 'late', type: 'condition', name: 'Deadline passed?', config: { expression: 'timedOut' } },
      {
        id: 'remind',
        type: 'template',
        name: 'Write a reminder',
        config: { template: 'To {{ input.email }}: {{ input.order }} is not paid yet.' },
      },
      {
        id: 'unpaid',
        type: 'transform',
        name: 'Unpaid',
        join: 'keyed',
        config: { expression: '{ "order": late.input.order, "status": "unpaid", "message": remind }' },
      },
      {
        id: 'paid',
        type: 'transform',
        name: 'Paid',
        config: { expression: '{ "order": input.order, "status": "paid", "payment": signal.payload }' },
      },
      { id: 'output', type: 'output', name: 'Response', join: 'value' },
    ],
    edges: [
      { from: 'input', to: 'payment' },
      { from: 'payment', to: 'late' },
      { from: 'late', to: 'remind', port: 'true' },
      { from: 'late', to: 'unpaid', port: 'true' },
      { from: 'remind', to: 'unpaid' },
      { from: 'late', to: 'paid', port: 'false' },
      { from: 'unpaid', to: 'output' },
      { from: 'paid', to: 'output' },
    ],
    output: 'output',
  },
};

export const PEOPLE = {
  'approve-amount': approveAmount,
  'wait-for-signal': waitForSignal,
} as const satisfies Partial<Record<TemplateId, Template>>;
