import type { Limits } from '../../../contract/limits.ts';
import { serveOffload } from '../../offload/serve.ts';
import { threadData } from '../../offload/serve-thread.ts';
import { parseFrameInThread } from '../../workers/frames.ts';
import type { BodyWork } from './body-work.ts';
import { createRedactionWork } from './redaction.ts';

/** The thread that reads what is too large for the event loop: bodies, definitions, frames. Put together from the rooms' own parts. */
const limits = threadData<Limits>();
const { redact, ...redactionWork } = createRedactionWork();

let loaded: Promise<BodyWork> | undefined;
const bodyWork = () =>
  (loaded ??= import('./body-work.ts').then(
    ({ createBodyWork }) => createBodyWork(limits),
    (error: unknown) => {
      loaded = undefined;
      throw error;
    },
  ));

serveOffload(
  {
    event: async (ask) => (await bodyWork()).event(ask),
    body: async (ask) => (await bodyWork()).body(ask),
    inputs: async (ask) => (await bodyWork()).inputs(ask),
    hookBody: async (ask) => (await bodyWork()).hookBody(ask),
    prepare: async (ask) => (await bodyWork()).prepare(ask),
    definition: async (ask) => (await bodyWork()).definition(ask),
    diff: async (ask) => (await bodyWork()).diff(ask),
    ...redactionWork,
    frame: ({ data, items }) =>
      parseFrameInThread(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString(), items),
  },
  limits,
  redact,
);
