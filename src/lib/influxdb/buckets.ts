/** Buckets that a master writes to and reads, from the name of the first. */
export interface BucketNames {
  /** Every point, without its job and task. */
  readonly all: string;
  /** Points of runs with their job and task, kept for a short time. */
  readonly jobs: string;
  /** One-minute roll-ups of the first, made by tasks of InfluxDB. */
  readonly rolled: string;
}

export const bucketNames = (bucket: string): BucketNames => ({
  all: bucket,
  jobs: `${bucket}_jobs`,
  rolled: `${bucket}_1m`,
});

/** Parts of a minute that roll-ups keep, as the tag `aggregate`. */
export const ROLLED_PARTS = ['sum', 'count', 'min', 'max', 'last'] as const;
export type RolledPart = (typeof ROLLED_PARTS)[number];
