import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configFaults, formFaults } from './check.ts';
import { duplicateKeys } from '../../../ui/json-text/check.ts';
import { completeDefinition } from './complete.ts';
import { formatDefinition } from '../../../ui/json-text/format.ts';
import { freshId } from './node-types.ts';
import { scanJson, type JsonNode } from '../../../ui/json-text/scan.ts';
import { starterDefinition, starterText } from './starter.ts';

const labels = (marked: string) =>
  completeDefinition(marked.replace('|', ''), marked.indexOf('|'))?.offers.map((offer) => offer.label) ?? [];
const offer = (marked: string, label: string) =>
  completeDefinition(marked.replace('|', ''), marked.indexOf('|'))?.offers.find((one) => one.label === label);
const root = (value: unknown) => scanJson(typeof value === 'string' ? value : JSON.stringify(value)).root as JsonNode;

describe('completion', () => {
  it('offers the top-level keys that are not there yet, the required ones first', () => {
    expect(labels('{|}')).toEqual(['schemaVersion', 'name', 'input', 'response', 'nodes', 'edges', 'output', 'canvas']);
    expect(labels('{"name": "x", |}')).not.toContain('name');
    expect(offer('{|}', 'nodes')?.rank).toBe(2);
    expect(offer('{|}', 'input')?.rank).toBe(1);
  });

  it('replaces the name under the cursor, and keeps its value', () => {
    const text = '{"na": "x"}';
    expect(completeDefinition(text, 4)).toMatchObject({ from: 1, to: 5 });
    expect(offer('{"na|": "x"}', 'name')?.insert).toBe('"name"');
  });

  it('ends a new property in a comma where another follows', () => {
    expect(offer('{| "name": "x"}', 'response')?.insert).toBe('"response": "${}",');
    expect(offer('{"name": "x", |}', 'response')?.insert).toBe('"response": "${}"');
  });

  it('offers the node types, and the configuration of the type that is chosen', () => {
    expect(labels('{"nodes": [{"type": |}]}')).toEqual([
      'input',
      'transform',
      'condition',
      'code',
      'template',
      'http',
      'delay',
      'wait',
      'forEach',
      'workflow',
      'handler',
      'output',
    ]);
    expect(labels('{"nodes": [{"type": "http", "config": {|}}]}')).toEqual([
      'method',
      'url',
      'headers',
      'query',
      'body',
      'timeoutSeconds',
    ]);
    expect(labels('{"nodes": [{"type": "http", "config": {"method": "|"}}]}')).toContain('PATCH');
    expect(labels('{"nodes": [{"config": {|}, "type": "delay"}]}')).toEqual(['seconds']);
  });

  it('completes the node that a forEach runs for each item', () => {
    const each = (inner: string) => `{"nodes": [{"type": "forEach", "config": {"node": ${inner}}}]}`;
    expect(labels(each('|'))).toContain('handler');
    expect(labels(each('{"type": |}'))).not.toContain('forEach');
    expect(labels(each('{"type": "http", "config": {|}}'))).toContain('url');
    expect(labels(each('{"type": "http", "config": {"method": |}}'))).toContain('PATCH');
    expect(offer(each('{"type": "delay", |}'), 'config')?.insert).toContain('seconds');
  });

  it('names the workflows and handlers that the master knows', () => {
    const names = { workflows: [{ id: 'triage', name: 'Triage' }], handlers: [{ name: 'resize', workers: 2 }] };
    const known = (marked: string) =>
      completeDefinition(marked.replace('|', ''), marked.indexOf('|'), names)?.offers.map(({ label, detail }) => [
        label,
        detail,
      ]);
    expect(known('{"nodes": [{"type": "workflow", "config": {"workflowId": "|"}}]}')).toEqual([['triage', 'Triage']]);
    expect(known('{"nodes": [{"type": "handler", "config": {"handler": |}}]}')).toEqual([['resize', 'on 2 workers']]);
    expect(
      known('{"nodes": [{"type": "forEach", "config": {"node": {"type": "handler", "config": {"handler": |}}}}]}'),
    ).toEqual([['resize', 'on 2 workers']]);
  });

  it('offers whole nodes with an id that is free', () => {
    expect(offer('{"nodes": [{"id": "code"}, |]}', 'code')?.insert).toContain('"id": "${code-2}"');
  });

  it('knows the nodes in edges and in output', () => {
    const nodes =
      '"nodes": [{"id": "in", "type": "input"}, {"id": "if", "type": "condition"}, {"id": "out", "type": "output"}]';
    expect(labels(`{${nodes}, "edges": [{"from": |}]}`)).toEqual(['in', 'if']);
    expect(labels(`{${nodes}, "edges": [{"to": "|"}]}`)).toEqual(['if', 'out']);
    expect(labels(`{${nodes}, "edges": [{"from": "if", "port": |}]}`)).toEqual(['true', 'false']);
    expect(labels(`{${nodes}, "edges": [{"from": "in", "port": |}]}`)).toEqual([]);
    expect(labels(`{${nodes}, "output": |}`)).toEqual(['in', 'if', 'out']);
    expect(offer(`{${nodes}, "output": |}`, 'out')?.rank).toBe(2);
  });

  it('knows the words of the input schema at every level', () => {
    expect(labels('{"input": {|}}')).toContain('properties');
    expect(labels('{"input": {"properties": {"a": {"type": |}}}}')).toContain('string');
    expect(labels('{"input": {"properties": {|}}}')).toEqual([]);
  });

  it('never throws, whatever stands in the text', () => {
    const text = starterText('x');
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), fc.nat(text.length), (a, b, at) => {
        const broken = text.slice(0, a) + text.slice(b);
        completeDefinition(broken, Math.min(at, broken.length));
      }),
    );
  });
});

describe('faults of form', () => {
  it('finds none in a starter', () => {
    expect(formFaults(root(starterDefinition('x')))).toEqual([]);
    expect(configFaults(root(starterDefinition('x')))).toEqual([]);
  });

  it('says what is missing, unknown or of the wrong kind', () => {
    expect(
      formFaults(
        root({
          schemaVersion: 2,
          name: '',
          response: 'all',
          nodes: [{ id: 'a b', type: 'x', retries: 1.5, colour: 1 }],
          edges: {},
        }),
      ),
    ).toEqual([
      { pointer: '', code: 'FORM', message: '“output” is missing.' },
      { pointer: '/schemaVersion', code: 'FORM', message: 'Expected 1.' },
      { pointer: '/name', code: 'FORM', message: 'Must not be empty.' },
      { pointer: '/response', code: 'FORM', message: 'Expected "list" or "first".' },
      {
        pointer: '/nodes/0/id',
        code: 'FORM',
        message: 'Use letters, digits, underscore, dot, colon and hyphen; start with a letter, digit or underscore.',
      },
      { pointer: '/nodes/0/retries', code: 'FORM', message: 'Expected an integer.' },
      {
        pointer: '/nodes/0/colour',
        code: 'FORM',
        message:
          'Unknown key “colour”; expected id, type, name, config, position, retries, retryBackoffSeconds, scheduleTimeoutSeconds, runTimeoutSeconds, join.',
      },
      { pointer: '/edges', code: 'FORM', message: 'Expected an array, found an object.' },
    ]);
  });

  it('checks a configuration by the type of its node', () => {
    expect(
      configFaults(
        root({
          nodes: [
            { id: 'a', type: 'delay', config: { seconds: 4000 } },
            { id: 'b', type: 'http', config: { method: 'FETCH', url: 'x' } },
          ],
        }),
      ).map((fault) => fault.pointer),
    ).toEqual(['/nodes/0/config/seconds', '/nodes/1/config/method']);
  });

  it('sees a property that stands there twice', () => {
    expect(duplicateKeys(root('{"a": 1, "a": 2}'))).toHaveLength(1);
  });
});

describe('formatDefinition', () => {
  it('changes nothing but white space, and nothing the second time', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = formatDefinition(JSON.stringify(value));
        expect(JSON.stringify(JSON.parse(once))).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
        expect(formatDefinition(once)).toBe(once);
      }),
    );
  });

  it('keeps the spelling of numbers, and text that is no JSON', () => {
    expect(formatDefinition('[12345678901234567890, 1.50]')).toBe('[\n  12345678901234567890,\n  1.50\n]\n');
    expect(formatDefinition('{"a": ')).toBe('{"a": ');
  });
});

it('finds an id that is free', () => {
  expect(freshId('code', new Set())).toBe('code');
  expect(freshId('code', new Set(['code', 'code-2']))).toBe('code-3');
});
