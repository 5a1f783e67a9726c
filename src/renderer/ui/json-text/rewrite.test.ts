import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json.ts';
import { formatDefinition } from './format.ts';
import { rewriteInLayout, rewriteJson } from './rewrite.ts';

/** As a text says it: without -0. */
const jsonTo = (maxDepth: number) =>
  fc
    .jsonValue({ maxDepth })
    .filter((value) => !JSON.stringify(value).includes('__proto__'))
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const json = jsonTo(4);

describe('a rewritten text', () => {
  it('holds the new value, whatever stood there in whatever layout', () => {
    fc.assert(
      fc.property(json, json, fc.constantFrom(undefined, 1, 2, '\t'), (before, after, space) => {
        expect(parseJson(rewriteJson(JSON.stringify(before, null, space), after))).toEqual(
          parseJson(JSON.stringify(after)),
        );
      }),
    );
  });

  it('is the very text where nothing changed', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, 3, '\t'), (value, space) => {
        const text = ` ${JSON.stringify(value, null, space)}\n\n`;
        expect(rewriteJson(text, parseJson(text))).toBe(text);
      }),
    );
  });

  it('gains and loses items of a list by their ids, and leaves the others as they were written', () => {
    const item = fc.record({ id: fc.integer({ min: 0, max: 30 }).map(String), n: fc.integer() });
    const items = fc.uniqueArray(item, { selector: ({ id }) => id });
    fc.assert(
      fc.property(items, items, (before, after) => {
        const text = `{\n  "nodes" : [\n${before.map((one) => `      { "id":"${one.id}","n" :  ${one.n} }`).join(',\n')}\n  ]\n}`;
        const next = rewriteJson(text, { nodes: after });
        expect(JSON.parse(next)).toEqual({ nodes: after });
      }),
    );
  });

  const written = `{
    "name":   "Mine",
    "nodes": [
        {"id":"a","type":"input"},
        {"id":"b","type":"delay", "config":{"seconds": 1.50}},
        {"id":"c","type":"output"}
    ],
    "edges": [ {"from":"a","to":"b"}, {"from":"b","to":"c"} ],
    "big": 12345678901234567890
}`;
  const value = () =>
    parseJson(written) as {
      name: string;
      nodes: Record<string, unknown>[];
      edges: Record<string, unknown>[];
      big: unknown;
    };

  it('keeps the author’s layout around a change', () => {
    const moved = value();
    moved.nodes[1] = { ...moved.nodes[1], position: { x: 1, y: 2 } };
    expect(rewriteJson(written, moved)).toBe(written.replace('1.50}}', '1.50}, "position":{ "x": 1, "y": 2 }}'));
  });

  it('adds a line where the list has lines, and goes on in the line where it has one', () => {
    const more = value();
    more.nodes.push({ id: 'd', type: 'delay' });
    more.edges.push({ from: 'a', to: 'd' });
    expect(rewriteJson(written, more)).toBe(
      written
        .replace('"type":"output"}\n', '"type":"output"},\n        { "id": "d", "type": "delay" }\n')
        .replace('"to":"c"} ]', '"to":"c"}, { "from": "a", "to": "d" } ]'),
    );
  });

  it('takes an item away with its comma', () => {
    const less = value();
    less.nodes.splice(1, 1);
    less.edges.splice(0, 1);
    const next = rewriteJson(written, less);
    expect(next).toContain(
      '    "nodes": [\n        {"id":"a","type":"input"},\n        {"id":"c","type":"output"}\n    ],\n    "edges": [ {"from":"b","to":"c"} ],',
    );
  });

  it('stays in our own layout where the text was in it', () => {
    const text = formatDefinition(written);
    const moved = value();
    moved.nodes = moved.nodes.map((node) => ({
      ...node,
      position: { x: 123456, y: 123456 },
      name: 'A name that is rather long, so that the line breaks',
    }));
    const next = rewriteJson(text, moved);
    expect(next).toBe(formatDefinition(next));
  });

  it('in our layout is laid out as if all of it were, whatever came, went and stayed', () => {
    const node = fc.record({
      id: fc.nat(12).map((n) => `n${n}`),
      config: fc.dictionary(
        fc.constantFrom('url', 'body', 'headers', 'a name that is rather long, so that lines break'),
        jsonTo(3),
        { noNullPrototype: true },
      ),
    });
    const nodes = fc.uniqueArray(node, { selector: ({ id }) => id, maxLength: 8 });
    const rest = fc.dictionary(fc.constantFrom('name', 'output', 'canvas', 'input'), json, { noNullPrototype: true });
    fc.assert(
      fc.property(nodes, nodes, rest, rest, fc.boolean(), (first, second, before, after, isKnown) => {
        const text = formatDefinition(JSON.stringify({ ...before, nodes: first }));
        const was = parseJson(text) as { nodes: unknown[] };
        // Some nodes are the very ones of before, as an edit leaves them.
        const next = { ...was, ...after, nodes: second.map((one, i) => (i % 2 === 0 ? (was.nodes[i] ?? one) : one)) };
        const rewritten = rewriteInLayout(text, next, true, isKnown ? was : undefined).text;
        expect(rewritten).toBe(formatDefinition(rewritten));
        expect(parseJson(rewritten)).toEqual(next);
      }),
      { numRuns: 50 },
    );
  });
});
