import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { uuidv7 } from '../../lib/uuid.ts';
import { sessionRoutes } from './routes/session.ts';
import { sessionListRoutes } from './routes/sessions.ts';
import { keyRoutes } from './routes/keys.ts';
import { deviceRoutes } from './routes/device.ts';
import { meRoutes } from './routes/me.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { userRoutes } from './routes/users.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { auditRoutes } from './routes/audit.ts';
import { alertRoutes } from './routes/alerts.ts';
import { alertRuleRoutes } from './routes/alert-rules.ts';
import { silenceRoutes } from './routes/silences.ts';
import { channelRoutes } from './routes/channels.ts';
import { alertPolicyRoutes } from './routes/alert-policy.ts';
import { dashboardRoutes } from './routes/dashboards.ts';
import { groupOf } from '../../lib/address-group.ts';
import { readBody } from './core/body.ts';
import { clientAddress } from './core/forwarded.ts';
import { createStrangers, STRANGERS_BYTES } from './core/strangers.ts';
import { jobComparisonRoutes } from './routes/job-comparisons.ts';
import { masterBackupRoutes } from './routes/master-backup.ts';
import { operationRoutes } from './routes/operations.ts';
import { jobExportRoutes } from './routes/job-export.ts';
import { onClientError } from './core/client-error.ts';
import { clusterRoutes } from './routes/cluster.ts';
import { dataHealthRoutes } from './routes/data-health.ts';
import { createConsole } from './routes/console.ts';
import { docsRoutes } from './routes/docs.ts';
import { draftRoutes } from './routes/drafts.ts';
import { workflowActivityRoutes } from './routes/workflow-activity.ts';
import { createEventLimits } from './events/event-limits.ts';
import { eventRoutes, type EventHandler } from './events/events.ts';
import { failureRoutes } from './routes/failures.ts';
import { incidentRoutes } from './routes/incident/incident.ts';
import { masterFindRoutes } from './routes/master-find.ts';
import { jobRoutes } from './routes/jobs.ts';
import { logRoutes } from './routes/logs.ts';
import { masterRoutes } from './routes/master.ts';
import { metricRoutes } from './routes/metrics.ts';
import { createNotFound } from './core/not-found.ts';
import { certificateHosts, refuseHost } from './core/origin.ts';
import { deadLetterRoutes } from './routes/dead-letters.ts';
import { isReported, toProblem, sendProblem } from './core/problem.ts';
import { createResponseRedaction } from './core/response-redaction.ts';
import { isAdmitted, type App, type TableRoute } from './core/route.ts';
import { createRouteTable } from './core/route-table.ts';
import { createScope } from './core/scope.ts';
import { API_HEADERS, SERVED_BY } from './core/security-headers.ts';
import type { Services } from './core/services.ts';
import { jobRerunRoutes } from './routes/job-reruns.ts';
import { createHookHandler, type HookHandler } from './hooks/hook-handler.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { scheduleRoutes } from './routes/schedules.ts';
import { secretRoutes } from './routes/secrets.ts';
import { settingRoutes } from './routes/settings.ts';
import { shadowReplayRoutes } from './routes/shadow-replays.ts';
import { shadowIgnoreRoutes } from './routes/shadow-ignores.ts';
import { streamRoutes } from './stream/stream.ts';
import { taskRoutes } from './routes/tasks.ts';
import { handleConnect, handleUpgrade } from './core/upgrade.ts';
import { createRouteCompiler } from './core/validate.ts';
import { commitRoutes } from './routes/commits.ts';
import { createWarmUp } from './core/warm-up.ts';
import { workerRoutes } from './routes/workers.ts';
import { jobSignalRoutes } from './routes/job-signals.ts';
import { workflowTestRoutes } from './routes/workflow-tests.ts';
import { waitRoutes } from './routes/waits.ts';
import { respondRoutes } from './routes/respond.ts';
import { workflowRoutes } from './routes/workflows.ts';
import { projectRoutes } from './routes/projects.ts';
import { roleRoutes } from './routes/roles.ts';
import { grantRoutes } from './routes/grants.ts';
import { publicationRoutes } from './routes/publications.ts';

const HEADER_BYTES = 32 * 1024;
const PARAMETER_CHARACTERS = 2048;

/** One route that the framework is told an answer of has it make its compiler of serializers, which all others are made with. */
const FRAMEWORK_SERIALIZES = { schema: { response: { 299: {} } } };

/** The master's port: REST, events, live streams, worker link and console. Build it, then `listen`, or `inject` without a socket. */
export function createApp(given: Services): FastifyInstance {
  const services: Services = given.tls
    ? { ...given, allowedHosts: [...given.allowedHosts, ...certificateHosts(given.tls.cert)] }
    : given;
  const { limits, cluster } = services;
  const headers = { ...API_HEADERS, [SERVED_BY]: cluster.id };
  const report =
    services.report ??
    ((error, requestId) =>
      process.stderr.write(`request ${requestId}: ${error instanceof Error ? error.stack : String(error)}\n`));
  // A missing host is told by us, with a problem; Node would answer without one.
  const http = { maxHeaderSize: HEADER_BYTES, insecureHTTPParser: false, requireHostHeader: false };
  const fastify = Fastify({
    logger: false,
    genReqId: () => uuidv7(),
    bodyLimit: limits.bodyBytes,
    // The schemas of answers are our own too: each serializer would come with the schema of schemas.
    serializerOpts: { ajv: { meta: false, code: { optimize: false } } },
    forceCloseConnections: true,
    // Rooms that are closed say so themselves.
    return503OnClosing: false,
    keepAliveTimeout: 72_000,
    requestTimeout: 300_000,
    frameworkErrors: (error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
      void sendProblem(reply.header('x-request-id', reply.request.id).headers(headers), error),
    clientErrorHandler: onClientError(cluster.id),
    ...(services.tls ? { https: { ...services.tls, ...http } } : { http }),
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;

  const strangers = createStrangers(() => Math.max(STRANGERS_BYTES, 2 * limits.bodyBytes), groupOf);
  fastify.removeAllContentTypeParsers();
  // One reader for every body. What it may be is decided by the route, before it is read.
  fastify.addContentTypeParser('*', (request: FastifyRequest, payload, done) => {
    const address = clientAddress(request.raw, services.proxies);
    const guest = (cut: () => void) => strangers.enter(address, cut);
    readBody(
      payload,
      request.headers,
      limits.bodyBytes,
      (fault, body, unread) => {
        if (fault) (fault as { unread?: boolean }).unread = unread;
        done(fault, body);
      },
      isAdmitted(request) ? undefined : guest,
    );
  });

  const notFound = createNotFound(createConsole(services));
  const table = createRouteTable<TableRoute>(PARAMETER_CHARACTERS);
  fastify.addHook('onRequest', (request: Routed, reply, next) => {
    reply.header('x-request-id', request.id).headers(headers);
    const refused = refuseHost(request.raw, services);
    if (refused) return void sendProblem(reply, refused);
    const found = table.find(request.method === 'HEAD' ? 'GET' : request.method, request.url);
    if (!found) return void notFound(request, reply);
    request.params = found.params;
    // Kept with the request from here to its handler.
    request.found = found.route;
    if (found.route.onRequest) found.route.onRequest(request, reply, next);
    else next();
  });
  fastify.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '*',
    exposeHeadRoute: true,
    ...FRAMEWORK_SERIALIZES,
    // What has no route does not come here.
    handler: (request: Routed, reply) => request.found?.handler(request, reply),
  });
  fastify.setNotFoundHandler((request, reply) => notFound(request, reply));
  fastify.setErrorHandler((error, request, reply) => {
    // Fastify closes the connection after any body that failed; where it was read to its end, that is not needed.
    if ((error as { unread?: boolean }).unread === false) reply.removeHeader('connection');
    if (isReported(toProblem(error, request.id))) report(error, request.id);
    return sendProblem(reply, error);
  });
  fastify.server.on('upgrade', handleUpgrade(services));
  fastify.server.on('connect', handleConnect(cluster.id));
  // An expectation that Node does not know is no reason to refuse a request.
  fastify.server.on('checkExpectation', (request, response) => fastify.routing(request, response));

  const warmUp = given.warmUp ?? createWarmUp();
  fastify.addHook('onReady', (done) => {
    warmUp.start();
    done();
  });
  fastify.addHook('onClose', (_, done) => {
    warmUp.stop();
    done();
  });
  const app: App = {
    fastify,
    table,
    services,
    compile: createRouteCompiler(limits, warmUp),
    warmUp,
    shown: createResponseRedaction(services),
    scope: createScope(services),
    serializers: new WeakMap(),
  };
  // One for whatever starts jobs: a limit of a workflow holds for calls, deliveries and replays together.
  const eventLimits = createEventLimits(services);
  firstThrough(fastify.server, eventRoutes(app, eventLimits, report), createHookHandler(app, eventLimits, report));
  workflowRoutes(app);
  publicationRoutes(app);
  commitRoutes(app);
  draftRoutes(app);
  workflowActivityRoutes(app);
  jobRoutes(app);
  jobComparisonRoutes(app);
  incidentRoutes(app);
  failureRoutes(app);
  operationRoutes(app);
  approvalRoutes(app);
  waitRoutes(app);
  workflowTestRoutes(app);
  jobSignalRoutes(app);
  respondRoutes(app);
  clusterRoutes(app);
  dataHealthRoutes(app);
  jobExportRoutes(app);
  jobRerunRoutes(app);
  taskRoutes(app);
  workerRoutes(app);
  logRoutes(app);
  deadLetterRoutes(app);
  metricRoutes(app);
  alertRoutes(app);
  alertRuleRoutes(app);
  silenceRoutes(app);
  channelRoutes(app);
  alertPolicyRoutes(app);
  dashboardRoutes(app);
  sessionRoutes(app);
  sessionListRoutes(app);
  keyRoutes(app);
  tokenRoutes(app);
  userRoutes(app);
  meRoutes(app);
  oidcRoutes(app);
  passkeyRoutes(app);
  deviceRoutes(app);
  auditRoutes(app);
  projectRoutes(app);
  roleRoutes(app);
  grantRoutes(app);
  masterFindRoutes(app);
  masterRoutes(app);
  settingRoutes(app);
  masterBackupRoutes(app);
  webhookRoutes(app, eventLimits);
  secretRoutes(app);
  scheduleRoutes(app);
  shadowReplayRoutes(app);
  shadowIgnoreRoutes(app);
  streamRoutes(app);
  docsRoutes(app);
  return fastify;
}

/** A request whose route is known. */
type Routed = FastifyRequest & { found?: TableRoute };

/** Event calls and deliveries do not go through the framework; all other requests do. */
function firstThrough(server: FastifyInstance['server'], events: EventHandler, hooks: HookHandler): void {
  const rest = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!events.request(request, response) && !hooks.request(request, response))
      for (const listener of rest) listener.call(server, request, response);
  });
}
