import type { HttpPolicy, WorkerLimits } from '../../contract/worker-protocol.ts';
import { openCodeThread } from '../code/open-thread.ts';
import { createExpressions, type Expressions } from '../expressions/expressions.ts';
import { createTemplateFiller, type FillTemplate } from '../expressions/fill-template.ts';
import { openExpressionProcess } from '../expressions/open-process.ts';
import { createIsolatePool, type IsolatePool } from '../isolation/pool.ts';
import type { Handler } from '../sdk/api.ts';
import { createTelemetry, type Telemetry } from '../telemetry.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

/** What executors work with, shared by all tasks of a worker. */
export interface Tools {
  readonly expressions: Expressions;
  readonly fillTemplate: FillTemplate;
  readonly codeThreads: IsolatePool;
  readonly http: HttpClient;
  readonly limits: Readonly<WorkerLimits>;
  readonly version: string;
  /** Functions that run handler nodes, by name. */
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly telemetry: Telemetry;
}

export interface ToolsOptions {
  /** Read at each use, so that a change counts. */
  readonly limits: Readonly<WorkerLimits>;
  readonly httpPolicy: HttpPolicy;
  readonly codeThreads: number;
  readonly expressionProcesses: number;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly version: string;
}

/** No thread and no process is started before something needs it. */
export function createTools(options: ToolsOptions): Tools & { close(): Promise<void> } {
  const { limits, httpPolicy, handlers, version } = options;
  const codeThreads = createIsolatePool({
    most: options.codeThreads,
    keep: 1,
    open: (events) => openCodeThread(events, limits.codeMemoryBytes),
  });
  const expressionProcesses = createIsolatePool({
    most: options.expressionProcesses,
    keep: 0,
    open: (events) => openExpressionProcess(events, limits.expressionMemoryBytes),
  });
  const expressions = createExpressions(expressionProcesses, limits);
  const http = createHttpClient(httpPolicy);
  return {
    expressions,
    fillTemplate: createTemplateFiller(expressions),
    codeThreads,
    http,
    limits,
    version,
    handlers,
    telemetry: createTelemetry(),
    async close() {
      http.close();
      await Promise.all([codeThreads.close(), expressionProcesses.close()]);
    },
  };
}
