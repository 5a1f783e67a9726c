/** Where the bodies of snapshots lie that are not in PostgreSQL; it knows of each snapshot that there is one. */
export interface SnapshotBodies {
  /** Makes sure that this master can write, read, list and remove there. Throws SNAPSHOTS_UNUSABLE. */
  probe(): Promise<void>;
  /** Makes room for a snapshot of this number: what another one left there goes. */
  begin(id: number): Promise<void>;
  /** The next chunk, from 0 on. */
  put(id: number, index: number, body: Uint8Array): Promise<void>;
  /** Nothing of it is lost from now on. */
  end(id: number): Promise<void>;
  /** Null: the snapshot does not lie here. Rejects where what lies here is not what was put. */
  chunk(id: number, index: number): Promise<Uint8Array | null>;
  /** All that lie here, also halves. */
  ids(): Promise<number[]>;
  drop(id: number): Promise<void>;
}
