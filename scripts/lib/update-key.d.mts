export interface UpdateKey {
  /** PEM. */
  readonly privateKey: string;
  /** PEM. */
  readonly publicKey: string;
}

export function updateKey(dist: string, log: (line: string) => void, given?: string): UpdateKey;
export function signFeed(name: string, feed: string, privateKey: string): string;
