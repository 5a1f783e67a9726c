export interface Retention {
  /** Removes all that is to go now, in short turns, until it is told to stop. Says how many jobs went. */
  pass(stop?: AbortSignal): Promise<number>;
  close(): Promise<void>;
}
