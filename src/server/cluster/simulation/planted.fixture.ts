import type { LogSync } from '../../store/sqlite/log-sync.ts';
import { APPEND, RENEW, TAKE_OVER } from '../postgres/statements.ts';
import type { FaultName } from './faults.fixture.ts';
import { append, PROCEDURES, takeOver } from './procedures.fake.ts';
import type { Procedure } from './postgres.fake.ts';
import type { Variant } from './simulate.fixture.ts';

const withStatement = (text: string, procedure: Procedure, faults: readonly FaultName[]): Variant => ({
  procedures: new Map([...PROCEDURES, [text, procedure]]),
  faults,
});

/** Each turns one promise of the code off, from outside; a simulation that does not find them is worth nothing. */
export const PLANTED: Readonly<Record<string, Variant>> = {
  'the fence is left out of the append': withStatement(APPEND, append(false), ['slow', 'partition']),
  'the owner measures its lease by the wall clock': { wallTime: true, writes: 0.1, faults: ['setClock', 'partition'] },
  'what is not appended yet is acknowledged': {
    openStore: (open) => (given) => {
      const early = (sync: LogSync): LogSync => ({
        after: (done) => done(null),
        settled: (done) => done(null),
        close: () => sync.close(),
        refusal: () => sync.refusal?.() ?? null,
      });
      const { sync } = given;
      return open({ ...given, ...(sync ? { sync: (log) => early(sync(log)) } : {}) });
    },
  },
  'a read does not wait for what it saw': {
    openStore: (open) => (given) => {
      const { sync } = given;
      return open({ ...given, ...(sync ? { sync: (log) => ({ ...sync(log), settled: (done) => done(null) }) } : {}) });
    },
  },
  'an owner that comes back begins with epoch 1': withStatement(
    TAKE_OVER,
    takeOver(({ partition }, reason) => (reason === 'restart' ? 1 : partition.epoch + 1)),
    ['kill'],
  ),
  'a takeover does not wait for appends under way': withStatement(
    TAKE_OVER,
    takeOver(({ partition }) => partition.epoch + 1, { waits: false }),
    ['slow', 'partition'],
  ),
  'a renewal does not ask for the epoch': withStatement(
    RENEW,
    function* (transaction, values) {
      if (transaction.tables.partition.owner === values[2]) return [{ id: 0 }];
      yield { workMs: 0.5 };
      return [{ id: 0 }];
    },
    ['freeze', 'partition'],
  ),
  'a working copy leaves a change out now and then': {
    prepare(db) {
      let count = 0;
      return new Proxy(db, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name, target);
          if (typeof found !== 'function') return found;
          if (name !== 'prepare') return found.bind(target);
          return (text: string) => {
            const statement = target.prepare<unknown[]>(text);
            if (!text.startsWith('INSERT INTO op')) return statement;
            return new Proxy(statement, {
              get: (one, member) =>
                member === 'run'
                  ? (...args: unknown[]) => (++count % 20 === 0 ? { changes: 1 } : one.run(...args))
                  : Reflect.get(one, member, one),
            });
          };
        },
      });
    },
  },
  'an append whose outcome is not known is taken for done': {
    database: (database) => ({
      ...database,
      append: (owner, entry) => database.append(owner, entry).catch(() => true),
    }),
  },
  'a working copy is believed that the journal does not have': {
    faults: ['kill', 'partition'],
    database: (database) => ({
      ...database,
      entryWith: async (turn) => {
        const entry = await database.entryWith(turn);
        return entry ?? { first: turn, last: turn, epoch: 1 };
      },
    }),
  },
  'a standby sends again what may have had an effect': {
    faults: ['kill', 'hangUp'],
    exchange: (exchange) => ({ ...exchange, isSafe: true }),
  },
  'an owner answers without the proof that it still is one': {
    faults: ['freeze', 'partition'],
    writes: 0.1,
    destination: (to) => (to.kind === 'own' ? { ...to, fresh: () => true } : to),
  },
  'a standby waits for ever for an owner that was replaced': {
    faults: ['kill', 'cutOff'],
    exchange: (exchange) => ({ ...exchange, forward: (url, told) => (exchange.forward(url, told), () => {}) }),
  },
};
