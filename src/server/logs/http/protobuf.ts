import { fieldsOf as fieldsOfMessage, type ProtobufField } from '../../../lib/protobuf.ts';
import { Refusal } from './answer.ts';

export const badProtobuf = (why: string): Refusal => new Refusal(400, `cannot read protobuf: ${why}`);

/** The fields of a message of protocol buffers, in their order. Throws a 400 `Refusal`. */
export const fieldsOf = (message: Buffer): Generator<ProtobufField> => fieldsOfMessage(message, badProtobuf);
