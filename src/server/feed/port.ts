/** What changed, in one sequence. Rooms publish ids only; summaries are built when somebody listens. */
export type FeedKind = 'job' | 'task' | 'worker' | 'publication' | 'operation' | 'alert' | 'approval';

export interface Change {
  readonly sequence: number;
  readonly kind: FeedKind;
  readonly id: string;
}

export interface Subscription {
  /** Where the subscriber must forget what it has: its `after` is unknown or too old. */
  readonly reset: boolean;
  close(): void;
}

export interface Feed {
  publish(kind: FeedKind, id: string): void;
  /** Changes after `after` (null: from now on) in order, batches of one turn at a time. */
  subscribe(after: number | null, deliver: (changes: readonly Change[]) => void): Subscription;
  readonly sequence: number;
  /** How many listen, and how many changes the one furthest behind has not been given. */
  stats(): { subscribers: number; lag: number };
}
