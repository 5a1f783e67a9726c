import { nanos, SCOPE, severityOf, type Codec, type PartialSuccess } from './codec.ts';
import type { Attributes } from './port.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { fieldsOf } from '../../lib/protobuf.ts';

/** OTLP in protocol buffers. Numbers of fields: github.com/open-telemetry/opentelemetry-proto. */
export function createProtobufCodec(): Codec {
  const w = new ProtobufWriter();

  const attributes = (field: number, values: Attributes): void => {
    for (const [key, value] of Object.entries(values))
      w.message(field, () => {
        w.string(1, key);
        w.message(2, () => {
          if (typeof value === 'string') w.chosenString(1, value);
          else if (typeof value === 'boolean') w.chosenVarint(2, value);
          else if (Number.isSafeInteger(value)) w.chosenVarint(3, value);
          else w.double(4, value);
        });
      });
  };

  return {
    contentType: 'application/x-protobuf',
    span(span) {
      w.hex(1, span.traceId);
      w.hex(2, span.spanId);
      w.hex(4, span.parentSpanId ?? '');
      w.string(5, span.name);
      w.varint(6, span.kind);
      w.fixed64(7, nanos(span.start));
      w.fixed64(8, nanos(span.end));
      attributes(9, span.attributes);
      for (const event of span.events)
        w.message(11, () => {
          w.fixed64(1, nanos(event.at));
          w.string(2, event.name);
          attributes(3, event.attributes);
        });
      for (const link of span.links)
        w.message(13, () => {
          w.hex(1, link.traceId);
          w.hex(2, link.spanId);
          attributes(4, link.attributes);
        });
      if (span.error !== null)
        w.message(15, () => {
          w.string(2, span.error ?? '');
          w.varint(3, 2);
        });
      w.fixed32(16, 1);
      return w.take();
    },
    log(line) {
      w.fixed64(1, line.time);
      w.varint(2, severityOf(line.level));
      w.string(3, line.level);
      w.message(5, () => w.chosenString(1, line.body));
      attributes(6, line.attributes);
      w.hex(9, line.traceId ?? '');
      w.hex(10, line.spanId ?? '');
      w.fixed64(11, line.time);
      return w.take();
    },
    metric({ name, help, type, value, from, at }) {
      const point = () => {
        if (type === 'counter') w.fixed64(2, nanos(from));
        w.fixed64(3, nanos(at));
        w.double(4, value);
      };
      w.string(1, name);
      w.string(2, help);
      if (type === 'gauge') w.message(5, () => w.message(1, point));
      else
        w.message(7, () => {
          w.message(1, point);
          w.varint(2, 2);
          w.varint(3, 1);
        });
      return w.take();
    },
    request(_signal, { resource, version }, records) {
      w.message(1, () => {
        w.message(1, () => attributes(1, resource));
        w.message(2, () => {
          w.message(1, () => {
            w.string(1, SCOPE);
            w.string(2, version);
          });
          for (const record of records) w.bytes(2, record);
        });
      });
      return w.take();
    },
    partialSuccess(_signal, body): PartialSuccess {
      for (const { number, bytes } of fieldsOf(body)) {
        if (number !== 1 || bytes === null) continue;
        let rejected = 0;
        let message = '';
        for (const field of fieldsOf(bytes)) {
          if (field.number === 1) rejected = field.value;
          if (field.number === 2) message = field.bytes?.toString() ?? '';
        }
        return rejected > 0 || message !== '' ? { rejected, message } : null;
      }
      return null;
    },
  };
}
