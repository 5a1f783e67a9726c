import { afterEach, expect, it } from 'vitest';
import { openRig, workflow, type Rig } from '../testing/engine.fixture.ts';

let rig: Rig;
afterEach(() => rig.close());

it('gives leases as they are, short and long, of any characters, in the order in which they were given', async () => {
  rig = await openRig();
  const worker = await rig.worker({ capacity: 100 });
  const texts = [
    'short',
    'é',
    '你好 🚀',
    '\u0001\u007f\u0080\u00ff',
    ...[100, 300, 65_000, 65_600, 70_000].map((n) => 'x'.repeat(n)),
  ];
  const flow = workflow({ a: { name: 'Zürich' } }, ['input>a', 'a>output']);
  for (const content of [...texts, 'last']) {
    await rig.submit(flow, [{ content }]);
    expect((await worker.lease()).input).toEqual({ content });
  }
});
