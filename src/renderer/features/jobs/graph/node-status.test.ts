import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../../contract/definition.ts';
import { buildGraph, tally, type TallyTask } from '../../../../contract/graph.ts';
import type { TaskState } from '../../../../contract/vocabulary.ts';
import { nodeStatus } from './node-status.ts';

const definition: Definition = {
  schemaVersion: 1,
  name: 'branches',
  response: 'list',
  nodes: [
    { id: 'in', type: 'input' },
    { id: 'check', type: 'condition', config: { expression: 'urgent' } },
    { id: 'page', type: 'code', config: { source: '' } },
    { id: 'file', type: 'code', config: { source: '' } },
    { id: 'out', type: 'output', join: 'value' },
  ],
  edges: [
    { from: 'in', to: 'check' },
    { from: 'check', to: 'page', port: 'true' },
    { from: 'check', to: 'file', port: 'false' },
    { from: 'page', to: 'out' },
    { from: 'file', to: 'out' },
  ],
  output: 'out',
};
const graph = buildGraph(definition);
const task = (replica: number, node: string, state: TaskState, port: string | null = null): TallyTask => ({
  node,
  replica,
  item: null,
  state,
  port,
  retryAt: null,
});

describe('the tally of a job', () => {
  it('counts a branch that was not taken as skipped, and the output as passed', () => {
    const { nodes, taken } = tally(graph, [task(0, 'check', 'COMPLETED', 'true'), task(0, 'page', 'COMPLETED')], 1);
    expect(nodeStatus(nodes.get('file')!)).toBe('skipped');
    expect(nodeStatus(nodes.get('page')!)).toBe('COMPLETED');
    expect(nodeStatus(nodes.get('out')!)).toBe('passed');
    expect([...taken]).toEqual(['["in","check",null]', '["check","page","true"]', '["page","out",null]']);
  });
  it('adds replicas up', () => {
    const { nodes } = tally(
      graph,
      [
        task(0, 'check', 'COMPLETED', 'true'),
        task(0, 'page', 'RUNNING'),
        task(1, 'check', 'COMPLETED', 'false'),
        task(1, 'file', 'FAILED'),
      ],
      3,
    );
    expect(nodes.get('check')).toMatchObject({ waiting: 1, states: { COMPLETED: 2 } });
    expect(nodes.get('page')).toMatchObject({ skipped: 1, waiting: 1, states: { RUNNING: 1 } });
    expect(nodeStatus(nodes.get('file')!)).toBe('FAILED');
    expect(nodes.get('out')).toMatchObject({ waiting: 3, passed: 0 });
  });
  it('tells a failure that will be retried from a final one', () => {
    const retrying = { ...task(0, 'check', 'FAILED'), retryAt: '2026-01-01T00:00:00.000Z' };
    expect(nodeStatus(tally(graph, [retrying], 1).nodes.get('check')!)).toBe('retrying');
    expect(nodeStatus(tally(graph, [task(0, 'check', 'FAILED')], 1).nodes.get('check')!)).toBe('FAILED');
  });
  it('leaves out what the graph does not know and replicas beyond those asked for', () => {
    const { nodes } = tally(graph, [task(0, 'gone', 'COMPLETED'), task(5, 'check', 'COMPLETED', 'true')], 1);
    expect(nodes.get('check')).toMatchObject({ waiting: 1, states: { COMPLETED: 0 } });
  });
  it('goes on after items that failed where they are collected, and past an empty list', () => {
    const fan = (onError: string): Definition => ({
      schemaVersion: 1,
      name: 'fan',
      response: 'list',
      nodes: [
        { id: 'in', type: 'input' },
        { id: 'each', type: 'forEach', config: { items: '$', onError } },
        { id: 'sum', type: 'transform' },
        { id: 'out', type: 'output' },
      ],
      edges: [
        { from: 'in', to: 'each' },
        { from: 'each', to: 'sum' },
        { from: 'sum', to: 'out' },
      ],
      output: 'out',
    });
    const items = [
      { ...task(0, 'each', 'COMPLETED'), item: 0 },
      { ...task(0, 'each', 'FAILED'), item: 1 },
    ];
    const collected = tally(buildGraph(fan('collect')), [...items, task(0, 'sum', 'COMPLETED')], 1);
    expect(collected.taken).toContain('["each","sum",null]');
    expect(collected.nodes.get('each')).toMatchObject({ states: { COMPLETED: 1, FAILED: 1 } });
    expect(tally(buildGraph(fan('failFast')), items, 1).nodes.get('sum')).toMatchObject({ waiting: 1 });
    const withList = tally(buildGraph(fan('failFast')), [task(0, 'each', 'COMPLETED'), ...items], 1);
    expect(withList.nodes.get('each')).toMatchObject({ states: { COMPLETED: 1, FAILED: 1 } });
    expect(withList.taken).toContain('["each","sum",null]');
    expect(tally(buildGraph(fan('failFast')), [task(0, 'sum', 'COMPLETED')], 1).nodes.get('each')).toMatchObject({
      passed: 1,
      waiting: 0,
    });
  });
});
