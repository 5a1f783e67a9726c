import { greeter, line, node } from './workflow-definitions.ts';
import { publish, type TestMaster } from './master.ts';

/** Ids of the sample data. */
export interface SampleData {
  /** A job of `triage` that went well. */
  done: string;
  /** A killed job of `reserve-stock`, and its failed task. */
  failed: string;
  task: string;
  /** A job of `checkout` that failed, after some that went well. */
  broken: string;
  /** Versions of `checkout`: what prod runs, and what comes next. */
  before: string;
  after: string;
  /** A schedule of `greeter` that is not due for hours. */
  schedule: string;
}

/** A shop's checkout; `check` and `rate` are what its versions differ in. Without places, so that the canvas lays it out. */
function checkout(check: string, rate: number): Record<string, unknown> {
  const { nodes, edges, ...rest } = line(
    'Checkout',
    node('check', 'code', { source: check }, { name: 'Check the order', retries: 0 }),
    node(
      'price',
      'transform',
      { expression: `$merge([$, { "total": $round(count * 4.2 * (tier = "gold" ? ${rate} : 1), 2) }])` },
      { name: 'Price it' },
    ),
    node('receipt', 'template', { template: 'Order {{ order }}: {{ total }} EUR' }, { name: 'Receipt' }),
  );
  return { ...rest, edges, nodes: nodes.map((one) => ({ ...one, position: undefined })) };
}
const FIRST = checkout(
  "if (input.country === 'DE') throw new Error('no tariff for order ' + input.order);\nreturn input;",
  0.9,
);
const SECOND = checkout(
  "const tariffs = { FR: 0.2, DE: 0.19 };\nif (!(input.country in tariffs)) throw new Error('no tariff for order ' + input.order);\nreturn input;",
  0.85,
);

/** Enough of everything that no page is empty. */
export async function createSampleData(master: TestMaster): Promise<SampleData> {
  if (
    !(await master.call('workflows.list', { query: { q: 'greeter', size: 100 } })).items.some(
      ({ id }) => id === 'greeter',
    )
  )
    await publish(master, 'greeter', greeter);
  const good = await master.event('triage/dev', [
    { subject: 'Login is down for everybody', body: 'urgent, nobody can sign in', tier: 'gold' },
    { subject: 'Typo on the pricing page', tier: 'free' },
  ]);
  if (good.status !== 200) throw new Error(`triage answered ${good.status}`);
  for (let i = 0; i < 12; i++)
    await master.event('shout/dev', [{ content: `hello ${i}` }], { 'x-external-id': `order-${1000 + i}` });
  const bad = await master.event('reserve-stock/dev', [{ order: 'A-1', sku: 'nut-m3', count: 1, trouble: 'unknown' }]);
  const { jobId, taskId } = (await bad.json()) as { jobId: string; taskId: string };
  await master.call('operations.kill', { body: { ids: [jobId] } });
  await master.call('secrets.set', {
    params: { name: 'STRIPE_KEY' },
    body: { value: 'sk_test_4242', description: 'Payments' },
  });
  const { definition } = await master.call('dashboards.get', { params: { id: 'job-monitoring' } });
  await master.call('dashboards.create', { body: { id: 'mine', definition: { ...definition, title: 'Mine' } } });
  const { id: schedule } = await master.call('schedules.create', {
    body: {
      ...{ workflowId: 'greeter', environment: 'dev', cron: '30 7 1 1 *', timeZone: 'Europe/Berlin' },
      ...{ description: 'Greets the new year', overlap: 'skip' },
    },
  });
  return { schedule, done: good.headers.get('x-job-id') ?? '', failed: jobId, task: taskId, ...(await sell(master)) };
}

/** `checkout`, in prod: orders from Germany fail there, and a version that mends it is not published yet. */
async function sell(master: TestMaster): Promise<Pick<SampleData, 'broken' | 'before' | 'after'>> {
  await master.call('workflows.create', { body: { id: 'checkout', name: 'Checkout' } });
  const save = async (definition: object, message: string, parent: string | null) =>
    (
      await master.call('commits.create', {
        params: { id: 'checkout' },
        json: JSON.stringify({ definition, message, parent }),
      })
    ).hash;
  const before = await save(FIRST, 'Sell in France', null);
  await master.call('workflows.publish', {
    params: { id: 'checkout', environment: 'prod' },
    body: { hash: before, description: 'The shop opens' },
  });
  const { key } = await master.call('keys.create', {
    body: {
      name: 'Shop',
      workflows: ['checkout'],
      environments: ['prod'],
    },
  });
  let broken = '';
  // Under 20 in five minutes, or the alert of the failure rate would come in between.
  for (let i = 0; i < 19; i++) {
    const country = i % 5 < 2 ? 'DE' : 'FR';
    const answer = await master.event(
      'checkout/prod',
      [{ order: 4700 + i, country, tier: i % 2 ? 'gold' : 'free', count: 1 + (i % 4) }],
      { 'api-key': key, 'x-external-id': `web-${4700 + i}` },
    );
    if (country === 'DE') broken = ((await answer.json()) as { jobId: string }).jobId;
  }
  return { broken, before, after: await save(SECOND, 'Sell in Germany; gold customers pay less', before) };
}
