/** JSONata of the master itself: of webhooks, schedules and the like. Never on its event loop, nor in a process with anything else. */
export interface Expressions {
  /**
   * JSON text of the value that an expression has on an input (JSON text, lossless); null where it has none. Rejects with
   * EXPRESSION_FAILED where it fails, takes too long or needs too much memory, and with OVERLOADED where too many wait.
   * Workflows, and their projects, take turns.
   */
  evaluate(source: string, input: string, workflowId: string): Promise<string | null>;
  close(): Promise<void>;
}
