/** Kinds of spans, as OTLP numbers them. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3 } as const;

export type SpanKind = (typeof SPAN_KIND)[keyof typeof SPAN_KIND];
