import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../../../lib/errors.ts';
import type { Definition } from '../../../../contract/definition.ts';
import type { DraftRun } from '../../../../contract/drafts.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import type { DraftRunBody } from '../../../api/drafts.ts';
import { reusedOutputs } from './reused-outputs.ts';
import { firstSample, type Samples } from './samples.ts';

/** Draft runs of one workflow in the builder: the example input, the last run, and how runs treat what lies outside. */
export interface DraftRunsState {
  /** What the author wrote as example input; null: the one that the schema gives. */
  readonly sample: string | null;
  /** Where the example is the input of a job that is shown: not the author's own, which is not touched. */
  readonly borrowed: BorrowedInput | null;
  /** False: the browser did not keep it. */
  readonly kept: boolean;
  readonly run: DraftRun | null;
  /** What ran. */
  readonly ran: Definition | null;
  /** The run is that of a job that really ran, not of a draft. */
  readonly isRecorded: boolean;
  /** Last node of that run, where it did not go to the end. */
  readonly upTo: string | null;
  readonly busy: boolean;
  readonly error: unknown;
  /** Nodes that reach outside do what they say. Never remembered: it is ticked anew for each visit. */
  readonly effects: boolean;
  /** What stand-ins give, by node, as JSON text. */
  readonly outputs: ReadonlyMap<string, string>;
}

export interface BorrowedInput {
  readonly jobId: string;
  /** It was changed since. */
  readonly isChanged: boolean;
}

export interface DraftRunsDeps {
  readonly workflowId: string;
  readonly samples: Samples;
  create(workflowId: string, body: DraftRunBody, signal: AbortSignal): Promise<DraftRun>;
  read(workflowId: string, jobId: string, signal: AbortSignal): Promise<DraftRun>;
  kill(jobId: string): Promise<unknown>;
  /** JSON text of the whole output of a task. */
  output(taskId: string): Promise<string>;
  sleep(ms: number): Promise<void>;
}

export interface DraftRuns {
  readonly workflowId: string;
  readonly store: StoreApi<DraftRunsState>;
  setSample(text: string): void;
  setEffects(effects: boolean): void;
  /** Null: what is in place of the node is left to the master. */
  setOutput(nodeId: string, text: string | null): void;
  /** Text of the example input that a definition is tried with. */
  sampleFor(definition: Definition): string;
  /** Shows a job that ran, and takes its input as the example for this visit: the author's own is not touched. */
  show(run: DraftRun, ran: Definition, input: string): void;
  /** Runs it on the example input. A run before it is stopped. Faults are in the state. */
  start(definition: Definition, part?: RunPart): Promise<void>;
  stop(): void;
  /** Shows no run any more. */
  clear(): void;
  /** The example is the author's own again. */
  giveBack(): void;
}

/** What of a draft is run; all of it where neither is given. */
export interface RunPart {
  /** The last node. */
  readonly upTo?: string;
  /** The first node: those that do not depend on it give what they gave in the run that is shown. */
  readonly from?: string;
}

/** Seconds that the first call waits for the end; then the run is looked at every so often. */
const FIRST_SECONDS = 1;
const POLL_MS = 400;

export function createDraftRuns({ workflowId, samples, create, read, kill, output, sleep }: DraftRunsDeps): DraftRuns {
  const store = createStore<DraftRunsState>(() => ({
    sample: samples.load(workflowId),
    borrowed: null,
    kept: true,
    run: null,
    ran: null,
    isRecorded: false,
    upTo: null,
    busy: false,
    error: null,
    effects: false,
    outputs: new Map(),
  }));
  const { getState: state, setState: set } = store;
  let going: AbortController | null = null;

  const stop = () => {
    const { run } = state();
    if (going && run && run.finishedAt === null) void kill(run.jobId).catch(() => {});
    going?.abort();
    going = null;
    set({ busy: false });
  };

  const self: DraftRuns = {
    workflowId,
    store,
    setSample(text) {
      const { borrowed } = state();
      if (borrowed === null) set({ sample: text, kept: samples.save(workflowId, text) });
      else set({ sample: text, kept: true, borrowed: { ...borrowed, isChanged: true } });
    },
    setEffects: (effects) => set({ effects }),
    setOutput(nodeId, text) {
      const outputs = new Map(state().outputs);
      if (text === null) outputs.delete(nodeId);
      else outputs.set(nodeId, text);
      set({ outputs });
    },
    sampleFor: (definition) => state().sample ?? firstSample(definition.input),
    show(run, ran, input) {
      stop();
      const borrowed = { jobId: run.jobId, isChanged: false };
      set({ run, ran, isRecorded: true, upTo: null, error: null, sample: input, borrowed, kept: true });
    },
    async start(definition, { upTo, from } = {}) {
      stop();
      const abort = new AbortController();
      going = abort;
      const { effects, outputs, run: before } = state();
      set({ busy: true, error: null, run: from === undefined ? null : before, upTo: upTo ?? null });
      try {
        const reused = from !== undefined && before ? await reusedOutputs(definition, before, from, output) : {};
        if (abort.signal.aborted) return;
        const known = new Set(definition.nodes.map(({ id }) => id));
        const pinned = [...outputs]
          .filter(([id]) => known.has(id))
          .map(([id, text]) => [id, parsed(text, t('The pinned output of {id} is not valid JSON.', { id }))]);
        const given = { ...reused, ...Object.fromEntries(pinned) };
        let run = await create(
          workflowId,
          {
            definition,
            inputs: [parsed(self.sampleFor(definition), t('The input is not valid JSON.'))],
            waitSeconds: FIRST_SECONDS,
            ...(upTo === undefined ? {} : { upTo }),
            ...(effects ? { effects: 'run' as const } : {}),
            ...(Object.keys(given).length === 0 ? {} : { outputs: given }),
          },
          abort.signal,
        );
        for (;;) {
          if (abort.signal.aborted) return;
          set({ run, ran: definition, isRecorded: false });
          if (run.finishedAt !== null) break;
          await sleep(POLL_MS);
          if (abort.signal.aborted) return;
          run = await read(workflowId, run.jobId, abort.signal);
        }
      } catch (error) {
        if (!abort.signal.aborted) set({ error });
      } finally {
        if (going === abort) {
          going = null;
          set({ busy: false });
        }
      }
    },
    stop,
    clear() {
      stop();
      set({ run: null, ran: null, isRecorded: false, error: null, upTo: null });
    },
    giveBack() {
      if (state().borrowed !== null) set({ sample: samples.load(workflowId), borrowed: null });
    },
  };
  return self;
}

function parsed(text: string, whyNot: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${whyNot} ${errorMessage(error)}`, { cause: error });
  }
}
