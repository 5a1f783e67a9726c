/** Workflows that the tests publish. */
export const node = (
  id: string,
  type: string,
  config: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) => ({ id, type, name: id, config, position: { x: 0, y: 0 }, ...more });

export const line = (name: string, ...middle: ReturnType<typeof node>[]) => {
  const nodes = [node('input', 'input'), ...middle, node('output', 'output')];
  return {
    schemaVersion: 1,
    name,
    response: 'list',
    nodes,
    edges: nodes.slice(1).map((to, i) => ({ from: nodes[i]?.id, to: to.id })),
    output: 'output',
  };
};

export const greeter = line(
  'Greeter',
  node('greet', 'template', { template: 'Hello {{ name }}' }),
  node('shape', 'transform', { expression: '{ "greeting": $ }' }),
  node('note', 'code', { source: "ctx.log('INFO', 'greeted somebody', input);\nreturn input;" }),
);

/** Holds a slot for `seconds`. */
export const sleeper = (seconds: number) =>
  line(
    'Sleeper',
    node('wait', 'delay', { seconds }, { retryBackoffSeconds: 1 }),
    node('done', 'transform', { expression: '{ "done": true }' }),
  );

/** Waits for a time, a signal or an approval, then does something that can be counted. */
export const held = (config: Record<string, unknown>) =>
  line('Held', node('hold', 'wait', config), node('after', 'transform', { expression: '$' }));

/** Fails for orders from Germany, and is retried by hand alone; `then` hands on what was checked. */
export const picky = line(
  'Picky',
  node(
    'check',
    'code',
    { source: "if (input.country === 'DE') throw new Error('no tariff for order ' + input.order);\nreturn input;" },
    { retries: 0 },
  ),
  node('label', 'transform', { expression: '{ "label": order & "/" & country }' }),
);
