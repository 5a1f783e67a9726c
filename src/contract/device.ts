import { type Static, Type } from 'typebox';
import { TokenCreatedSchema } from './access.ts';
import { Closed, enumOf, get, post, tagged, Time } from './shapes.ts';

/**
 * Signing in a program that has no page of its own: the command line, or the desktop. As the device flow of RFC 8628, in
 * JSON: the program gets a code, a person approves it in the console, the program asks until it gets a token of theirs.
 */

export const DeviceCodeSchema = Type.Object({
  deviceCode: Type.String({ description: 'Of the program alone' }),
  userCode: Type.String({ description: 'For the person to compare' }),
  verificationUrl: Type.String(),
  verificationUrlComplete: Type.String({ description: 'With the code' }),
  expiresIn: Type.Integer({ description: 'Seconds' }),
  interval: Type.Integer({ description: 'Seconds between two questions, at least' }),
});

export const DeviceRequestSchema = Type.Object({
  userCode: Type.String(),
  client: Type.String({ description: 'What the program calls itself' }),
  address: Type.Union([Type.String(), Type.Null()]),
  createdAt: Time,
  expiresAt: Time,
});
export type DeviceRequest = Static<typeof DeviceRequestSchema>;

const Code = { params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) }) };

export const deviceRoutes = tagged('People', {
  'device.begin': post('/api/v1/device/code', 'open', 'Ask for a code to sign a program in', {
    body: Closed({ client: Type.String({ minLength: 1, maxLength: 100 }) }),
    errors: ['SIGN_IN_UNAVAILABLE', 'RATE_LIMITED'],
    answers: { 200: DeviceCodeSchema },
  }),
  'device.token': post('/api/v1/device/token', 'open', 'Get the token once the code was approved', {
    body: Closed({ deviceCode: Type.String({ minLength: 1, maxLength: 200 }) }),
    errors: ['AUTHORIZATION_PENDING', 'SLOW_DOWN', 'DEVICE_CODE_UNKNOWN', 'DEVICE_DENIED', 'TOO_MANY_ATTEMPTS'],
    answers: { 200: TokenCreatedSchema },
  }),
  'device.get': get('/api/v1/device/requests/:code', 'self', 'Show which program asks', {
    ...Code,
    errors: ['DEVICE_CODE_UNKNOWN', 'PERSON_NEEDED'],
    answers: { 200: DeviceRequestSchema },
  }),
  'device.decide': post('/api/v1/device/requests/:code', 'self', 'Approve or deny that program', {
    ...Code,
    body: Closed({ decision: enumOf(['approve', 'deny']) }),
    errors: ['DEVICE_CODE_UNKNOWN', 'PERSON_NEEDED'],
    answers: { 204: null },
  }),
});
