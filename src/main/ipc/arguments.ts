import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { MAX_CA_CHARACTERS, MAX_PORT } from '../../contract/desktop.ts';
import { Closed } from '../../contract/shapes.ts';
import type { IpcChannel, IpcMap } from '../../contract/ipc.ts';
import { Fault } from '../../lib/fault.ts';
import { ContextName, KubeconfigPath, NamespaceName, ViaShape } from '../connections/via-shape.ts';

const Id = Type.String({ pattern: '^[a-z0-9]{1,64}$' });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Address = Type.String({ minLength: 1, maxLength: 2000 });
/** Empty in Kubernetes, where the release tells; the connections check it by their kind. */
const AnyAddress = Type.String({ maxLength: 2000 });
const Token = Type.String({ maxLength: 512 });
const Ca = Type.Union([Type.Null(), Type.String({ maxLength: MAX_CA_CHARACTERS })]);
const Proxy = Type.String({ minLength: 1, maxLength: 300 });
const Report = Type.String({ pattern: '^[0-9A-Za-z-]{1,60}\\.json$' });
const Port = Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: MAX_PORT })]);
const Colour = Type.Union([Type.Null(), Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })]);

const connection = {
  name: Name,
  url: AnyAddress,
  token: Token,
  via: Type.Optional(ViaShape),
  colour: Colour,
  production: Type.Boolean(),
  readOnly: Type.Boolean(),
  allowPlain: Type.Boolean(),
  ca: Type.Optional(Ca),
  proxy: Type.Optional(Proxy),
};

/** What a page may send on each channel, nothing where none is named; a page that was taken over must find nothing here to play with. */
const ARGUMENTS: Readonly<Partial<Record<IpcChannel, TSchema>>> = {
  'app:open-external': Type.String({ pattern: '^https://', maxLength: 2000 }),
  'app:notify': Closed({
    kind: Type.Union([Type.Literal('alert'), Type.Literal('bulk')]),
    title: Type.String({ maxLength: 300 }),
    body: Type.String({ maxLength: 2000 }),
    path: Type.String({ pattern: '^/(?!/)', maxLength: 4000 }),
  }),
  'connections:add': Closed(connection),
  'connections:update': Closed({ id: Id, ...Type.Partial(Type.Object(connection)).properties }),
  'connections:remove': Closed({ id: Id }),
  'connections:test': Type.Union([
    Closed({ id: Id }),
    Closed({
      url: AnyAddress,
      token: Token,
      via: Type.Optional(ViaShape),
      ca: Type.Optional(Ca),
      proxy: Type.Optional(Proxy),
    }),
  ]),
  'connections:select': Closed({ id: Id, path: Type.Optional(Type.String({ pattern: '^/', maxLength: 4000 })) }),
  'connections:sign-in': Closed({ url: Address, ca: Type.Optional(Ca), proxy: Type.Optional(Proxy) }),
  'connections:signed-in': Closed({ ticket: Type.String({ pattern: '^ticket:[0-9a-f]{32}$' }) }),
  'connections:reconnect': Closed({ id: Id }),
  'kubernetes:contexts': Closed({ kubeconfig: KubeconfigPath }),
  'kubernetes:releases': Closed({
    kubeconfig: KubeconfigPath,
    context: ContextName,
    namespace: Type.Union([Type.Null(), NamespaceName]),
  }),
  'fleet:status': Closed({ id: Id }),
  'fleet:search': Closed({ id: Id, text: Type.String({ minLength: 1, maxLength: 200 }) }),
  'desktop:prefer': Type.Partial(
    Type.Object({
      onClose: Type.Union([Type.Literal('ask'), Type.Literal('tray'), Type.Literal('quit')]),
      notifyAlerts: Type.Boolean(),
      notifyBulk: Type.Boolean(),
      badge: Type.Boolean(),
      startAtLogin: Type.Boolean(),
      updateFeed: Type.Union([Type.Null(), Address]),
      updateCheck: Type.Boolean(),
      language: Type.Union([Type.Literal('system'), Type.Literal('en'), Type.Literal('de')]),
      masterPort: Port,
      logstashPort: Port,
      logStorePort: Port,
      metricsPort: Port,
    }),
    { additionalProperties: false },
  ),
  'reports:read': Closed({ id: Report }),
  'reports:add': Closed({
    message: Type.String({ maxLength: 2000 }),
    stack: Type.String({ maxLength: 20_000 }),
    path: Type.String({ maxLength: 4000 }),
  }),
  'window:theme': Type.Union([Type.Literal('light'), Type.Literal('dark'), Type.Literal('system')]),
};

/** The argument of a channel, or a `Fault` ARGUMENT_INVALID that names what is wrong. */
export function parseArgument<C extends IpcChannel>(channel: C, value: unknown): IpcMap[C]['argument'] {
  const schema = ARGUMENTS[channel] ?? Type.Null();
  if (Value.Check(schema, value)) return value as IpcMap[C]['argument'];
  const [first] = Value.Errors(schema, value);
  throw new Fault(
    'ARGUMENT_INVALID',
    `${channel}${first?.instancePath ? ` ${first.instancePath}` : ''}: ${first?.message ?? 'not valid'}`,
  );
}
