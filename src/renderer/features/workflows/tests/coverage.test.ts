import { expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import type { TestReport } from '../../../../contract/workflow-tests.ts';
import { edgeKey } from '../definition/edits.ts';
import { canvasCoverage, coverageText, edgeText } from './coverage.ts';

const yes = { from: 'big', to: 'ask', port: 'true' };
const no = { from: 'big', to: 'out', port: 'false' };
const definition: Definition = {
  schemaVersion: 1,
  name: 'Orders',
  response: 'list',
  nodes: [
    { id: 'big', type: 'condition' },
    { id: 'ask', type: 'wait' },
    { id: 'newer', type: 'transform' },
  ],
  edges: [yes, no],
  output: 'out',
};
const report: TestReport = {
  passed: 1,
  failed: 0,
  cases: [{ name: 'small', ok: true }],
  coverage: { nodes: ['big', 'out'], missed: ['ask'], edges: [no], missedEdges: [yes] },
};

it('tells nodes and edges that a case takes from those that none does, and from what is newer than the run', () => {
  const { nodes, edges } = canvasCoverage(definition, report);
  expect([...nodes].map(([id, { state }]) => [id, state])).toEqual([
    ['big', 'done'],
    ['ask', 'missed'],
  ]);
  expect([edges.get(edgeKey(no)), edges.get(edgeKey(yes)), edges.get('["a","b",null]')]).toEqual([
    true,
    false,
    undefined,
  ]);
  expect(coverageText(report)).toBe('2 of 3 nodes, 1 of 2 edges');
  expect(edgeText(yes)).toBe('big → ask (true)');
});

it('says nothing of edges where the master does not', () => {
  const { nodes, missed } = report.coverage;
  const older = { ...report, coverage: { nodes, missed } };
  expect(canvasCoverage(definition, older).edges.size).toBe(0);
  expect(coverageText(older)).toBe('2 of 3 nodes');
});
