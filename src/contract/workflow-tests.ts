import { type Static, Type } from 'typebox';
import { DefinitionSchema } from './definition.ts';
import { Closed, Count, get, Hash, Id, Json, Nullable, post, put, tagged, Time } from './shapes.ts';

/** Tests of workflows: cases that are kept with a workflow and run without a job. */

export const TestCaseSchema = Closed({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  input: Type.Record(Type.String(), Json, { description: 'What one replica is given' }),
  outputs: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Json, {
      description:
        'Stand-ins for nodes that act on or wait for something outside, by node ID; of a forEach, a list with one for each item',
    }),
  ),
  expect: Closed(
    {
      output: Type.Optional(Json),
      schema: Type.Optional(Type.Union([Type.Record(Type.String(), Json), Type.Boolean()])),
      expression: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
      failure: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    },
    {
      description:
        'Exactly one: the output, a JSON Schema of it, JSONata on it that is truthy, or the code of the failure of a node',
    },
  ),
});
export type TestCase = Static<typeof TestCaseSchema>;

const cases = Type.Array(TestCaseSchema, { maxItems: 500 });

export const TestResultSchema = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  difference: Type.Optional(Type.String({ description: 'What came instead of what was expected' })),
});
export type TestResult = Static<typeof TestResultSchema>;

const CoveredEdge = Type.Object({
  from: Type.String(),
  to: Type.String(),
  port: Type.Optional(Type.String()),
});

export const TestReportSchema = Type.Object({
  passed: Count,
  failed: Count,
  cases: Type.Array(TestResultSchema),
  coverage: Type.Object(
    {
      nodes: Type.Array(Type.String()),
      missed: Type.Array(Type.String()),
      edges: Type.Optional(Type.Array(CoveredEdge)),
      missedEdges: Type.Optional(Type.Array(CoveredEdge)),
    },
    {
      description:
        'Nodes that at least one case reached, and those that none did; the same for edges, so for the branches of a condition',
    },
  ),
});
export type TestReport = Static<typeof TestReportSchema>;

const CasesSchema = Type.Object({ cases, updatedAt: Nullable(Time), updatedBy: Nullable(Type.String()) });

export const workflowTestRoutes = tagged('Tests of workflows', {
  'workflowTests.get': get('/api/v1/workflows/:id/tests', 'viewer', 'Get the test cases of a workflow', {
    errors: ['WORKFLOW_NOT_FOUND'],
    answers: { 200: CasesSchema },
  }),
  'workflowTests.replace': put('/api/v1/workflows/:id/tests', 'operator', 'Replace the test cases of a workflow', {
    body: Closed({ cases }),
    errors: ['WORKFLOW_NOT_FOUND'],
    answers: { 200: CasesSchema },
  }),
  'workflowTests.run': post('/api/v1/workflows/:id/tests/run', 'operator', 'Run the test cases', {
    body: Closed({
      commit: Type.Optional(Hash),
      definition: Type.Optional(DefinitionSchema),
      cases: Type.Optional(cases),
    }),
    errors: ['WORKFLOW_NOT_FOUND', 'COMMIT_NOT_FOUND', 'COMMIT_AMBIGUOUS', 'INVALID_DAG'],
    answers: { 200: TestReportSchema },
  }),
  'workflowTests.record': post(
    '/api/v1/workflows/:id/tests/record',
    'operator',
    'Make a test case of a job that completed; it is not saved',
    {
      body: Closed({ jobId: Id, replica: Type.Optional(Count), name: Type.Optional(Type.String({ maxLength: 200 })) }),
      errors: ['WORKFLOW_NOT_FOUND', 'JOB_NOT_FOUND', 'RECORDING_TOO_LARGE'],
      answers: { 200: TestCaseSchema },
    },
  ),
});
