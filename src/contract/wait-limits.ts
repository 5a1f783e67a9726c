import { live } from './limit.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of wait nodes and signals, and of tests of workflows; a part of `limits.ts`. */
export const WAIT_LIMITS = {
  /** Longest wait of a wait node, and the deadline of signals and approvals that name none, in days. */
  waitDays: live(366, 1, 3660),
  /** Maximum number of signals kept for a job until a task waits for them; further ones get 409 `TOO_MANY_SIGNALS`. */
  signalsPerJob: live(100, 1, 10_000),
  /** Maximum size of the body of a signal, in bytes. */
  signalBytes: live(64 * KIB, 64, MIB),
  /** Maximum size of the test cases of a workflow, in bytes. */
  workflowTestBytes: live(MIB, 1024, 16 * MIB),
  /** Maximum number of runs of the test cases of workflows at the same time, one fewer for one project; further ones get 503 `OVERLOADED`. */
  workflowTestRuns: live(3, 1, 32),
  /** Longest run of the test cases of one workflow, in seconds; cases that are left then fail. */
  workflowTestSeconds: live(300, 1, 3600),
} as const;
