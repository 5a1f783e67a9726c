/** `log-store-port` → `YARDMASTER_LOG_STORE_PORT`, `bodyBytes` → `YARDMASTER_BODY_BYTES`. */
export function environmentVariable(name: string): string {
  return `YARDMASTER_${name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()}`;
}
