/** Where a log pipeline listens, as people write it. */
export interface PipelineAddress {
  host: string;
  port: number;
  /** TLS, with a certificate for that host. */
  tls: boolean;
}

export const PIPELINE_ADDRESS = 'HOST:PORT such as 127.0.0.1:9000, or tls://HOST:PORT';

/** `HOST:PORT` or `tls://HOST:PORT`, an IPv6 host in brackets; null for anything else. */
export function parsePipelineAddress(text: string): PipelineAddress | null {
  const [, scheme, host, digits] = /^(tls:\/\/)?(\[[0-9a-fA-F:.]+\]|[^:/[\]\s]+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port, tls: scheme !== undefined };
}
