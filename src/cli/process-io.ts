/** What a command may touch of its process, as an argument, so that tests own it. */
export interface ProcessIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output and error; each call is one line (the newline is added). */
  out(line: string): void;
  err(line: string): void;
  /** Bytes to standard output as they are; resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Text of standard input, to its end. */
  stdin(): Promise<string>;
  /** The first line of standard input, which stays open; null where it ends without one. */
  firstLine(): Promise<string | null>;
  /** True where standard input is a terminal, so that somebody has to type. */
  readonly interactive: boolean;
  /** Loads an entry that the build puts beside the command, such as `master.js`. */
  load(entry: string): Promise<unknown>;
  /** Aborts at the first SIGINT or SIGTERM; the second ends the process. */
  readonly stopped: AbortSignal;
  /** Calls back when the other end of standard input (or of the IPC channel) is gone. */
  onParentGone(callback: () => void): void;
  /** Characters of a line of the terminal; null where the output is no terminal. */
  readonly columns: number | null;
}

/** An entry of the build. The command does not import it, so that what it exports is the caller's to know. */
export const loadEntry = async <Entry>(io: Pick<ProcessIo, 'load'>, entry: string): Promise<Entry> =>
  (await io.load(entry)) as Entry;
