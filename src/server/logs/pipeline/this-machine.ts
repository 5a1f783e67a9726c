/** True for both ends on one machine: TCP cannot be begun from elsewhere with an address of the receiver itself. */
export function isFromThisMachine({
  remoteAddress,
  localAddress,
}: {
  remoteAddress?: string | undefined;
  localAddress?: string | undefined;
}): boolean {
  if (remoteAddress === undefined) return false;
  const address = remoteAddress.replace(/^::ffff:/, '');
  return address.startsWith('127.') || address === '::1' || remoteAddress === localAddress;
}
