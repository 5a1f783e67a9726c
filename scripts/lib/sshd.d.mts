export interface OpenSsh {
  readonly ssh: string;
  readonly sshd: string;
  readonly 'ssh-keygen': string;
  /** What they need to find their libraries. */
  readonly env: Record<string, string>;
  /** Of the server. */
  readonly options: readonly string[];
}
export function ensureOpenSsh(log: (line: string) => void): Promise<OpenSsh>;
