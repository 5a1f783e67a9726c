import { LIMITS } from '../../../contract/limits.ts';
import type { MasterOptions } from '../../../contract/process.ts';
import { VERSION } from '../../../contract/version.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { createDispatcher, type DestinationOf, type Exchange } from '../front/dispatch.ts';
import type { JournalDatabase } from '../journal/port.ts';
import type { OpenStore } from '../journal/journaled-store.ts';
import type { ClusterMember } from '../member.ts';
import type { ClusterView, OwnerSide, OwningMaster } from '../port.ts';
import { openJournalDatabase } from '../postgres/journal-database.ts';
import { openReplica } from '../replica/replica.ts';
import { takeTurns } from '../take-turns.ts';
import type { Asked, Answer, Checker } from './checker.fixture.ts';
import { createDisk, type Prepare } from './disk.fake.ts';
import { createHost, type Host } from './host.fake.ts';
import { createNetwork, type Network } from './network.fake.ts';
import type { Peers } from './peers.fake.ts';
import type { PostgresModel } from './postgres.fake.ts';
import type { World } from './world.fixture.ts';

/** Bugs that a test puts between the parts, never into them. */
export interface Planted {
  readonly wallTime: boolean;
  readonly prepare: Prepare;
  openStore(open: OpenStore): OpenStore;
  database(database: JournalDatabase): JournalDatabase;
  destination(to: DestinationOf<Serve>): DestinationOf<Serve>;
  exchange(exchange: Exchange<Serve>): Exchange<Serve>;
}
type Told = (answer: Answer | Error) => void;
/** The own server of an owner. */
export type Serve = (asked: Asked, told: Told) => void;
export const NOTHING_PLANTED: Planted = {
  wallTime: false,
  prepare: (db) => db,
  openStore: (open) => open,
  database: (database) => database,
  destination: (to) => to,
  exchange: (exchange) => exchange,
};

/** A machine with a disk and a way to the database, and the process of a master on it. */
export interface Machine {
  readonly id: string;
  readonly network: Network;
  readonly host: Host | null;
  readonly role: string | null;
  readonly seq: number;
  /** Nobody is there to say that it is down. */
  readonly silent: boolean;
  /** What its working copy holds. */
  content(): string | null;
  ask(asked: Asked, hops: number, told: (answer: Answer | Error) => void): void;
  /** Unless it runs, or is lost. */
  start(): void;
  /** For good. */
  lose(told: boolean): void;
  /** `told`: the system closes what the process had open. */
  kill(left: 'kept' | 'power failed' | 'empty', told: boolean): void;
  /** As by SIGTERM. */
  end(): void;
  handOver(): void;
}

interface Surroundings {
  readonly world: World;
  readonly server: PostgresModel;
  readonly checker: Checker;
  readonly planted: Planted;
  readonly peers: Peers;
}

const RENEW_REPORT_MS = 500;
const SNAPSHOTS = { journalBytes: 2500, lookMs: 2000 };

interface Process {
  readonly host: Host;
  readonly member: ClusterMember;
  readonly database: JournalDatabase;
  ask(asked: Asked, hops: number, told: (answer: Answer | Error) => void): void;
  view: ClusterView | null;
  content(): string;
  end(): void;
}

export function createMachine(id: string, around: Surroundings): Machine {
  const { world, server, checker, planted } = around;
  const disk = createDisk(world, planted);
  const network = createNetwork(world, server);
  let process: Process | null = null;
  let starts = 0;
  let lost = false;
  let silent = false;

  function exited(mine: Process, why: string): void {
    if (process !== mine) return;
    world.note(id, why);
    mine.host.kill();
    network.closeAll(mine.host, true);
    around.peers.reset(id);
    disk.detach('kept');
    process = null;
  }

  function start(): void {
    if (process !== null || lost) return;
    const name = `${id}${++starts}`;
    silent = false;
    world.note(id, `starts as ${name}`);
    const host = createHost(world, name, planted);
    const attached = disk.attach(host);
    const database = planted.database(openJournalDatabase(network.dial(host), host.time, 0));
    const closing = new AbortController();
    const url = `http://${id}`;
    const state: ClusterMember['state'] = { role: 'joining', seq: 0, lagMs: 0 };
    const log = (line: string): void => world.note(name, line);
    const front = createDispatcher<Serve>({ holdMs: LIMITS.ownerWaitSeconds * 1000, time: host.time });
    let serve: Serve = (_asked, told) => told(new Error('NO_OWNER'));
    const options = { workers: 0, drainSeconds: 0, log } as unknown as MasterOptions;
    const notHere = () => Promise.resolve();
    const open = planted.openStore(attached.openStore);
    let epoch = 0;

    const member: ClusterMember = {
      ...{ id, options, database, url, port: 1, workerUrl: url, state, closing: closing.signal, snapshots: SNAPSHOTS },
      // A run has too few turns for a real one.
      checkTurns: 16,
      time: host.time,
      tokens: { adminToken: '', workerToken: '' },
      proofKey: '',
      openReplica: () => openReplica({ copy: attached.openCopy(), database, log }),
      openStore(given) {
        checker.opened(name, epoch, attached.content());
        return open(given);
      },
      copyOfOwner: attached.copyOfOwner,
      front: { cutOwn: () => {}, ownIdle: notHere, idle: notHere } as unknown as ClusterMember['front'],
      answering: Promise.resolve(),
      announce: () => () => {},
      localWorkerEnded: () => {},
      watchLocalWorkers: () => {},
      masters: () => [url],
      watchMasters: () => {},
      serveBy(to) {
        front.serveBy(
          planted.destination(to.kind === 'own' ? { ...to, server: (asked, told) => serve(asked, told) } : to),
        );
      },
      answers: () => {},
      warm: { begin: () => {} },
      limits: LIMITS,
      trouble: (message) => log(`PostgreSQL: ${message}`),
      end: () => closing.abort(),
      awaitOwner: notHere,
    };

    async function build(_options: MasterOptions, side: OwnerSide): Promise<OwningMaster> {
      const store = side.openStore({ report: () => {}, forget: () => {} });
      try {
        // As a real one: it writes as it starts, and goes on once that is durable.
        await store.write((db) =>
          db
            .statement('INSERT INTO start (master, starts) VALUES (?, 1) ON CONFLICT DO UPDATE SET starts = starts + 1')
            .run(id),
        );
      } catch (error) {
        await store.close();
        throw error;
      }
      const ofEpoch = epoch;
      serve = ({ request, floor }, told) => {
        const answer = (found: Answer): void => {
          checker.answered({ process: name, epoch: ofEpoch }, { request, floor }, found);
          told(found);
        };
        const failed = (error: unknown): void => told(error instanceof Error ? error : new Error(String(error)));
        if (request.kind !== 'read') {
          // Without a key each that arrives is another one.
          const key = request.kind === 'write' ? request.id : checker.arrived(request.id);
          return void store
            .write((db) => {
              const there = db.query<{ n: number }>('SELECT n FROM op WHERE id = ?').get(key);
              if (there) return { n: there.n, id: key };
              const n = (db.query<{ n: number }>('SELECT count(*) AS n FROM op').get()?.n ?? 0) + 1;
              db.statement('INSERT INTO op (id, n) VALUES (?, ?)').run(key, n);
              return { n, id: key };
            })
            .then(answer, failed);
        }
        const found = store.read.query<Answer>('SELECT n, id FROM op ORDER BY n DESC LIMIT 1').get() ?? {
          n: 0,
          id: null,
        };
        void store.durable().then(() => answer(found), failed);
      };
      mine.view = side.view;
      const app = { ready: notHere, server: {}, close: notHere } as unknown as Parameters<OwnerSide['attach']>[0];
      const listener = await side.attach(app);
      return {
        endWaits: () => {},
        async close() {
          mine.view = null;
          await listener.close();
          await store.close();
        },
      } as unknown as OwningMaster;
    }

    const exchangeOf = (asked: Asked, hops: number, told: Told): Exchange<Serve> => ({
      gone: false,
      hops,
      isSafe: asked.request.kind === 'read',
      answerBy: (own) => own(asked, told),
      hold: () => {},
      forward: (to, { failed, held, ended }) =>
        around.peers.forward({ id, host }, to, asked, hops + 1, { failed, held, ended, answered: told }),
      refuse: () => told(new Error('NO_OWNER')),
    });

    const report = (): void => {
      void database
        .report({ id, url, version: VERSION, startedAt: 0, ...state })
        .catch(() => {})
        .then(() => host.at(RENEW_REPORT_MS, report));
    };
    report();
    const mine: Process = {
      ...{ host, member, database, view: null, content: attached.content },
      ask: (asked, hops, told) => front.dispatch(planted.exchange(exchangeOf(asked, hops, told))),
      end: () => closing.abort(),
    };
    process = mine;
    takeTurns(member, build, {
      serves: () => {},
      takes: (taken) => (epoch = taken.epoch),
    }).then(
      () => exited(mine, 'ends'),
      (error: unknown) => {
        exited(mine, `ENDS BY ITSELF: ${errorMessage(error)}`);
        world.broken(`the process of ${id} ended by itself: ${errorMessage(error)}`);
      },
    );
  }

  const made: Machine = {
    id,
    network,
    get host() {
      return process?.host ?? null;
    },
    get role() {
      return process?.member.state.role ?? null;
    },
    get seq() {
      return process?.member.state.seq ?? 0;
    },
    get silent() {
      return silent;
    },
    content: () => process?.content() ?? null,
    ask(asked, hops, told) {
      const at = process;
      if (at === null) return told(new Error('connect ECONNREFUSED'));
      at.host.deliver(() => at.ask(asked, hops, told));
    },
    start,
    lose(told) {
      made.kill('kept', told);
      lost = true;
      world.note(id, 'is lost for good');
    },
    kill(left, told) {
      if (process === null) return;
      world.note(id, `KILLED (disk: ${left}${told ? '' : ', machine lost'})`);
      process.host.kill();
      network.closeAll(process.host, told);
      process = null;
      silent = !told;
      if (told) around.peers.reset(id);
      disk.detach(left);
    },
    end() {
      world.note(id, 'is told to end');
      process?.end();
    },
    handOver() {
      const view = process?.view;
      if (!view) return;
      void view.chooseStandby(null).then(
        (to) => (world.note(id, `hands over to ${to}`), view.handOver(to)),
        () => {},
      );
    },
  };
  return made;
}
