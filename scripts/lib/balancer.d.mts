export interface Balancer {
  readonly port: number;
  use(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** Listens on the first of `ports` that is free; 0: any. */
export function startBalancer(choices: { ports: readonly number[]; host?: string }): Promise<Balancer>;
