/**
 * What is used of the official client: reading a kubeconfig, its credentials, and the protocol of port-forwarding. Loaded where
 * a connection goes through Kubernetes. Its generated API of 8 MB is not: three lists are asked for by hand (`release.ts`).
 */
export async function loadClient() {
  const [{ KubeConfig }, { ExecAuth }, { PortForward }, { WebSocketHandler }] = await Promise.all([
    import('@kubernetes/client-node/dist/config.js'),
    import('@kubernetes/client-node/dist/exec_auth.js'),
    import('@kubernetes/client-node/dist/portforward.js'),
    import('@kubernetes/client-node/dist/web-socket-handler.js'),
  ]);
  return { KubeConfig, ExecAuth, PortForward, WebSocketHandler };
}
