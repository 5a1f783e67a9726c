import { createChecker } from './checker.fixture.ts';
import { createMachine, NOTHING_PLANTED, type Machine } from './machine.fixture.ts';
import { createPeers } from './peers.fake.ts';
import { createPostgres } from './postgres.fake.ts';
import { createWorld } from './world.fixture.ts';

const LONG_MS = 60_000;

/** Masters over the model of PostgreSQL in which nothing fails but what the test makes fail. */
export async function startScene({ masters = 2, started = true } = {}) {
  const world = createWorld(1);
  const checker = createChecker(world);
  const server = createPostgres(world, checker.tables);
  const peers = createPeers(world, (url) => {
    const machine = machines.find(({ id }) => url === `http://${id}`);
    return machine ? { id: machine.id, machine } : null;
  });
  const machines: Machine[] = Array.from({ length: masters }, (_, i) =>
    createMachine('ABC'.charAt(i), {
      ...{ world, server, checker, peers, planted: NOTHING_PLANTED },
    }),
  );
  let written = 0;

  async function until(done: () => boolean): Promise<void> {
    await world.run(world.now + LONG_MS, done);
    if (world.violation !== null || !done()) throw new Error(`this did not come about:\n${world.notes.join('\n')}`);
  }

  if (started) {
    machines[0]?.start();
    await until(() => machines[0]?.role === 'owner');
    for (const machine of machines) machine.start();
    await until(() => machines.slice(1).every(({ role }) => role === 'standby'));
  }
  const [owner, standby] = machines;
  return {
    ...{ world, checker, server, machines, until },
    owner: owner!,
    standby: standby!,
    /** Writes through this master; throws what it answers. */
    async write(by: Machine): Promise<void> {
      const answers: unknown[] = [];
      by.ask(checker.ask({ kind: 'write', id: `w${++written}` }), 0, (answer) => answers.push(answer));
      await until(() => answers.length > 0);
      if (answers[0] instanceof Error) throw answers[0];
    },
    notes: () => world.notes.join('\n'),
  };
}
