import type { AlertEvent } from '../../../contract/alerts.ts';
import type { Approval } from '../../../contract/approvals.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { Operation } from '../../../contract/operations.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { Identity } from '../../access/port.ts';
import type { FeedKind } from '../../feed/port.ts';
import { stillAllowed } from '../core/still-allowed.ts';
import { createRelations, withoutReach } from '../core/relations.ts';
import { answerHead } from '../core/head-request.ts';
import { withProgress } from '../routes/progress.ts';
import { REDACTED_FIELDS } from '../core/response-redaction.ts';
import { ALREADY_SENT, route, type App } from '../core/route.ts';
import { EVENT_STREAM, openEventStream, sseEvent } from './sse.ts';
import { createStreamClient, type StreamClient } from './stream-client.ts';

/** How long changes are gathered before they are sent. */
const TICK_MS = 50;
/** Entities of one reader in one tick: summaries are read from the store, and that is the event loop's time. */
const MAX_A_TICK = 50;

/**
 * Live changes. The feed says what changed by name only; summaries are made here, once a tick however
 * many readers there are, and only while there are readers.
 */
export function streamRoutes(app: App): void {
  const { access, alerts, approvals, clock, durable, feed, jobs, limits, secrets, workers, workflows } = app.services;
  const { scope } = app;
  const relations = createRelations(app.services, scope);
  // Summaries are short: payloads are not in them.
  const shown = (text: string) => secrets.redactor.json(text, REDACTED_FIELDS);
  const clients = new Set<StreamClient>();
  let timer: NodeJS.Timeout | undefined;

  async function summaryOf(kind: FeedKind, id: string): Promise<string | null> {
    try {
      switch (kind) {
        case 'job':
          return shown(JSON.stringify(await jobs.get(id)));
        case 'task': {
          const {
            input: _input,
            output: _output,
            history: _history,
            retryEntries: _entries,
            ...summary
          } = withProgress(await jobs.task(id), workers);
          return shown(JSON.stringify(summary));
        }
        case 'worker':
          return shown(JSON.stringify(await workers.get(id)));
        case 'publication': {
          const found = workflows.publication(id);
          return found ? shown(JSON.stringify(found)) : null;
        }
        case 'operation': {
          const operation = await jobs.operations.get(id);
          return shown(JSON.stringify({ id, ...operation }));
        }
        case 'approval':
          return shown(JSON.stringify(approvals.get(id)));
        case 'alert': {
          const told = alerts.event(id);
          return told && shown(JSON.stringify(told));
        }
      }
    } catch {
      // It is gone by now.
      return null;
    }
  }

  /** Whether a person with grants may be told: all of it tells of a workflow, or of what belongs to no project. */
  async function seen(who: Identity, kind: FeedKind, text: string): Promise<boolean> {
    if (kind === 'operation') {
      const { id } = JSON.parse(text) as { readonly id: string };
      return scope.inAll(who, 'jobs.read', jobs.operations.places(id));
    }
    if (kind === 'alert') {
      const told = JSON.parse(text) as AlertEvent;
      // Messages are of several rules.
      const project = told.kind === 'instance' ? (alerts.rules.get(told.ruleId).project ?? null) : null;
      return access.policy.may(who, 'metrics.read', project === null ? null : { project, environment: null });
    }
    if (kind === 'worker') return access.policy.may(who, 'master.read', null);
    if (kind === 'approval') {
      const { publish, wait } = JSON.parse(text) as Approval;
      const of = publish ?? wait;
      return of ? scope.sees(who, 'workflows.read', of.workflowId) : access.policy.may(who, 'jobs.operate', null);
    }
    const told = JSON.parse(text) as { readonly workflowId?: string; readonly jobId?: string };
    const workflowId = told.workflowId ?? (await jobs.get(told.jobId ?? '')).workflowId;
    return scope.sees(who, kind === 'publication' ? 'workflows.read' : 'jobs.read', workflowId);
  }

  /** As the routes show it to them: who sees one side of a call to another project is not told of the other. */
  async function shownTo(who: Identity, kind: FeedKind, text: string): Promise<string | null> {
    if (!(await seen(who, kind, text))) return null;
    const told: unknown = JSON.parse(text);
    const known =
      kind === 'job'
        ? await relations.job(who, told as Job)
        : kind === 'task'
          ? await relations.task(who, told as Task)
          : kind === 'operation'
            ? withoutReach(told as Operation)
            : told;
    return known === told ? text : JSON.stringify(known);
  }

  function wake(): void {
    timer ??= setTimeout(() => void tick(), TICK_MS).unref();
  }
  async function tick(): Promise<void> {
    const known = new Map<string, Promise<string | null>>();
    const once = (kind: FeedKind, id: string) => {
      const key = `${kind}:${id}`;
      let text = known.get(key);
      if (!text) known.set(key, (text = summaryOf(kind, id).then((made) => durable().then(() => made))));
      return text;
    };
    for (const client of clients) await client.flush(clock.now(), MAX_A_TICK, once);
    timer = undefined;
    if ([...clients].some((client) => !client.idle)) wake();
  }

  route(app, 'live.stream', ({ query, identity, request, reply }) => {
    if (answerHead(request, reply.header('content-type', EVENT_STREAM))) return ALREADY_SENT;
    const told = request.headers['last-event-id'] ?? (query.after === 'now' ? undefined : query.after);
    const after = told === undefined ? null : /^\d{1,16}$/.test(String(told)) ? Number(told) : Number.NaN;
    const stream = openEventStream(reply, access, stillAllowed(app, identity, request));
    const client = createStreamClient(
      stream,
      limits.streamPerEntityPerSecond,
      () => feed.sequence,
      identity.grants === null ? null : (kind, text) => shownTo(identity, kind, text),
    );
    stream.write(`: live\nretry: 2000\n${after === null ? `id: ${feed.sequence}\n` : ''}\n`);
    // An id alone moves a reader's place, but tells it nothing.
    if (after === null && query.after === 'now') stream.write(sseEvent('{}', 'cursor', feed.sequence));
    const subscription = feed.subscribe(Number.isNaN(after) ? -1 : after, (changes) => {
      client.take(changes);
      wake();
    });
    clients.add(client);
    if (subscription.reset) {
      client.startOver();
      wake();
    }
    stream.closed.addEventListener('abort', () => {
      subscription.close();
      clients.delete(client);
    });
    return ALREADY_SENT;
  });
}
