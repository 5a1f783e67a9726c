import { Type } from 'typebox';
import { Closed } from '../../contract/shapes.ts';

/** What a page, or the file of connections, may say of a way to a master. */
export const KubeconfigPath = Type.Union([Type.Null(), Type.String({ minLength: 1, maxLength: 2000 })]);
export const ContextName = Type.String({ minLength: 1, maxLength: 500 });
/** Names as Kubernetes has them: they become part of paths. */
export const NamespaceName = Type.String({ pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' });

export const ViaShape = Type.Union([
  Type.Null(),
  Closed({
    kind: Type.Literal('kubernetes'),
    kubeconfig: KubeconfigPath,
    context: ContextName,
    namespace: NamespaceName,
    release: NamespaceName,
    access: Type.Union([Type.Literal('admin'), Type.Literal('viewer'), Type.Literal('own')]),
  }),
  Closed({
    kind: Type.Literal('ssh'),
    destination: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: 65_535 })]),
  }),
]);
